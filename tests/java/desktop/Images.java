// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Images in memory, of every kind: pixels, parts, bands, palettes, operations.
// jvm: -Djava.awt.headless=true
// stress: no
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Kernel;
import java.awt.image.RescaleOp;
import java.util.zip.CRC32;

public class Images {
    static String sum(BufferedImage image) {
        CRC32 crc = new CRC32();
        for (int rgb : image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
            for (int i = 0; i < 4; i++) crc.update(rgb >>> 8 * i);
        return Long.toHexString(crc.getValue());
    }

    public static void main(String[] args) {
        int[] types = {BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_INT_ARGB, BufferedImage.TYPE_INT_ARGB_PRE,
                BufferedImage.TYPE_INT_BGR, BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_4BYTE_ABGR,
                BufferedImage.TYPE_4BYTE_ABGR_PRE, BufferedImage.TYPE_USHORT_565_RGB, BufferedImage.TYPE_USHORT_555_RGB,
                BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_USHORT_GRAY, BufferedImage.TYPE_BYTE_BINARY,
                BufferedImage.TYPE_BYTE_INDEXED};
        for (int type : types) {
            BufferedImage image = new BufferedImage(8, 6, type);
            for (int y = 0; y < 6; y++)
                for (int x = 0; x < 8; x++)
                    image.setRGB(x, y, (x * 32) << 24 | (x * 30) << 16 | (y * 40) << 8 | x * y * 5);
            System.out.println(image.getColorModel().getPixelSize() + " bits, " + image.getRaster().getNumBands()
                    + " bands: " + sum(image) + " " + sum(image.getSubimage(2, 1, 4, 3)) + " "
                    + image.getColorModel().hasAlpha());
        }
        BufferedImage source = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < 256; i++) source.setRGB(i % 16, i / 16, i * 65793 / 2 ^ i << 16);
        System.out.println("rescaled " + sum(new RescaleOp(0.5f, 20, null).filter(source, null)));
        BufferedImage gray = new BufferedImage(16, 16, BufferedImage.TYPE_BYTE_INDEXED,
                new IndexColorModel(8, 2, new byte[] {0, -1}, new byte[] {0, -1}, new byte[] {0, -1}));
        gray.getRaster().setSample(3, 3, 0, 1);
        System.out.println("palette " + sum(gray) + " " + new Kernel(1, 3, new float[] {1, 2, 1}).getHeight());
    }
}
