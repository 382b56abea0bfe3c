// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ImageIO: images and metadata written and read as PNG, BMP and GIF; files that are no images; the list of formats.
// jvm: -Djava.awt.headless=true
// stress: no
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.TreeSet;
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

public class ImageFiles {
    static String sum(BufferedImage image) {
        CRC32 crc = new CRC32();
        for (int rgb : image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
            for (int i = 0; i < 4; i++) crc.update(rgb >>> 8 * i);
        return image.getWidth() + "x" + image.getHeight() + " type " + image.getType() + " "
                + Long.toHexString(crc.getValue());
    }

    static void show(Node node, String indent) {
        StringBuilder text = new StringBuilder(indent + node.getNodeName());
        NamedNodeMap attributes = node.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++)
            text.append(' ')
                    .append(attributes.item(i).getNodeName())
                    .append('=')
                    .append(attributes.item(i).getNodeValue());
        System.out.println(text);
        for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling())
            show(child, indent + "  ");
    }

    public static void main(String[] args) throws Exception {
        ImageIO.setUseCache(false);
        System.out.println(new TreeSet<>(java.util.Arrays.asList(ImageIO.getReaderFormatNames())));
        System.out.println(new TreeSet<>(java.util.Arrays.asList(ImageIO.getWriterMIMETypes())));
        for (int type : new int[] {BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_INT_ARGB,
                     BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_BYTE_BINARY,
                     BufferedImage.TYPE_BYTE_INDEXED}) {
            BufferedImage image = new BufferedImage(33, 17, type);
            for (int y = 0; y < 17; y++)
                for (int x = 0; x < 33; x++) image.setRGB(x, y, 0xFF000000 | (x * 7) << 16 | (y * 15) << 8 | x * y);
            for (String format : new String[] {"png", "bmp", "gif"}) {
                try {
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    boolean written = ImageIO.write(image, format, out);
                    CRC32 crc = new CRC32();
                    crc.update(out.toByteArray());
                    System.out.print(format + " of type " + type + ": " + written + " " + out.size() + " bytes "
                            + Long.toHexString(crc.getValue()));
                    System.out.println(
                            written ? " read " + sum(ImageIO.read(new ByteArrayInputStream(out.toByteArray()))) : "");
                } catch (Throwable e) {
                    System.out.println(format + " of type " + type + ": " + e);
                }
            }
        }
        System.out.println(ImageIO.read(new ByteArrayInputStream(new byte[] {1, 2, 3})));

        BufferedImage image = new BufferedImage(4, 4, BufferedImage.TYPE_INT_ARGB);
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        IIOMetadata metadata = writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(image), null);
        IIOMetadataNode text = new IIOMetadataNode("tEXtEntry");
        text.setAttribute("keyword", "Title");
        text.setAttribute("value", "squares");
        IIOMetadataNode texts = new IIOMetadataNode("tEXt");
        texts.appendChild(text);
        IIOMetadataNode root = new IIOMetadataNode("javax_imageio_png_1.0");
        root.appendChild(texts);
        metadata.mergeTree("javax_imageio_png_1.0", root);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ImageOutputStream stream = ImageIO.createImageOutputStream(out)) {
            writer.setOutput(stream);
            writer.write(new IIOImage(image, null, metadata));
        }
        try (ImageInputStream stream = ImageIO.createImageInputStream(new ByteArrayInputStream(out.toByteArray()))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
            ImageReader reader = readers.next();
            reader.setInput(stream);
            System.out.println(
                    reader.getFormatName() + " " + reader.getNumImages(true) + " " + reader.getAspectRatio(0));
            show(reader.getImageMetadata(0).getAsTree("javax_imageio_png_1.0"), "");
        }
        byte[] broken = out.toByteArray();
        broken[20] ^= 0x55;
        try {
            System.out.println(sum(ImageIO.read(new ByteArrayInputStream(java.util.Arrays.copyOf(broken, 45)))));
        } catch (IOException e) {
            System.out.println(e);
        }
    }
}
