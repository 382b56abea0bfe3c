// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Every attempt to use the C code of java.desktop fails with an UnsatisfiedLinkError. The class libraries of some
// distributions, such as Debian 13's, then write to standard error which package to install.
// jvm: -Djava.awt.headless=true
// stderr: ignore
// expected: java.lang.UnsatisfiedLinkError: 'void sun.awt.image.BufImgSurfaceData.initRaster': java.desktop: native rendering is not available
// expected: java.lang.UnsatisfiedLinkError: 'void sun.awt.image.BufImgSurfaceData.initRaster': java.desktop: native rendering is not available
// expected: java.lang.UnsatisfiedLinkError: libfontmanager.so: java.desktop: native rendering is not available
// expected: java.lang.UnsatisfiedLinkError: libjavajpeg.so: java.desktop: native rendering is not available
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import javax.imageio.ImageIO;

public class NativeParts {
    interface Action {
        Object run() throws Exception;
    }

    static void attempt(Action action) {
        try {
            System.out.println(action.run());
        } catch (Throwable e) {
            // Removes the library's folder, and lists of parameters, from the message.
            System.out.println(e.toString().replaceAll("/\\S*/|\\(.*\\)", ""));
        }
    }

    public static void main(String[] args) {
        BufferedImage image = new BufferedImage(4, 4, BufferedImage.TYPE_INT_RGB);
        attempt(image::createGraphics);
        attempt(image::createGraphics);
        attempt(()
                        -> new Font("Dialog", Font.PLAIN, 12)
                                .getStringBounds("text", new FontRenderContext(null, false, false)));
        attempt(() -> ImageIO.write(image, "jpeg", new ByteArrayOutputStream()));
    }
}
