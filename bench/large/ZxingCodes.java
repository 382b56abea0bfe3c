// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ZXing draws texts as codes of several kinds, and reads them again from the picture, turned and shaded.
// maven: com.google.zxing:core:3.5.3
// iterations: 20
import com.google.zxing.BarcodeFormat;
import com.google.zxing.BinaryBitmap;
import com.google.zxing.DecodeHintType;
import com.google.zxing.MultiFormatReader;
import com.google.zxing.MultiFormatWriter;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.Result;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.common.HybridBinarizer;
import java.util.EnumSet;
import java.util.Map;

public class ZxingCodes extends Workload {
    private static final BarcodeFormat[] FORMATS = {BarcodeFormat.QR_CODE, BarcodeFormat.AZTEC, BarcodeFormat.PDF_417,
            BarcodeFormat.CODE_128, BarcodeFormat.QR_CODE};
    private static final int CODES = 80, SIZE = 300;

    private static int[] pixels(BitMatrix bits, int turn) {
        int width = bits.getWidth(), height = bits.getHeight();
        int[] pixels = new int[width * height];
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int shade = (x * 40 / width + y * 20 / height) + (x * 7 + y * 13) % 9;
                int grey = bits.get(x, y) ? 20 + shade : 235 - shade;
                int at = turn == 0 ? y * width + x : (height - 1 - y) * width + (width - 1 - x);
                pixels[at] = grey * 0x010101;
            }
        return pixels;
    }

    @Override protected long iteration() throws Exception {
        Words words = new Words(11, 800);
        long digest = 0;
        MultiFormatReader reader = new MultiFormatReader();
        for (int i = 0; i < CODES; i++) {
            BarcodeFormat format = FORMATS[i % FORMATS.length];
            String text = format == BarcodeFormat.CODE_128 ? words.next() : words.text(6 + i % 15);
            BitMatrix bits = new MultiFormatWriter().encode(text, format, SIZE, SIZE);
            RGBLuminanceSource source = new RGBLuminanceSource(bits.getWidth(), bits.getHeight(), pixels(bits, i % 2));
            Result found = reader.decode(new BinaryBitmap(new HybridBinarizer(source)),
                    Map.of(DecodeHintType.TRY_HARDER, true, DecodeHintType.POSSIBLE_FORMATS, EnumSet.of(format)));
            if (!found.getText().equals(text)) throw new IllegalStateException(found.getText());
            digest = mixed(digest, found.getText());
            digest = mixed(digest, found.getRawBytes() == null ? 0 : found.getRawBytes().length);
        }
        return digest;
    }

    public static void main(String[] arguments) throws Exception {
        new ZxingCodes().run(arguments);
    }
}
