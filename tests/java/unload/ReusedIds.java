// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Subclasses of FileInputStream are unloaded, and classes of the library get their ids. Facts that native code has
// cached about the unloaded classes must not be applied to the new ones.
// jvm: -Xmx64m

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

public class ReusedIds {
    public static class First extends FileInputStream { public First(String path) throws IOException { super(path); } }
    public static class Second extends FileInputStream {
        public Second(String path) throws IOException {
            super(path);
        }
    }
    public static class Third extends FileInputStream { public Third(String path) throws IOException { super(path); } }
    public static class Fourth extends FileInputStream {
        public Fourth(String path) throws IOException {
            super(path);
        }
    }

    static final class Loader extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("ReusedIds$")) return super.loadClass(name, resolve);
            try (InputStream in = ReusedIds.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }

    static WeakReference<ClassLoader> read(File file) throws Exception {
        ClassLoader loader = new Loader();
        Class<?>[] kinds = new Class<?>[4];
        String[] names = {"First", "Second", "Third", "Fourth"};
        for (int i = 0; i < 4; i++) kinds[i] = loader.loadClass("ReusedIds$" + names[i]);
        for (Class<?> kind : kinds) {
            try (FileInputStream stream =
                            (FileInputStream) kind.getConstructor(String.class).newInstance(file.getPath())) {
                if (stream.read() != 42) throw new AssertionError(kind.getName());
            }
        }
        return new WeakReference<>(loader);
    }

    public static void main(String[] arguments) throws Exception {
        File file = File.createTempFile("reused", null);
        try (FileOutputStream out = new FileOutputStream(file)) { out.write(new byte[] {42, 43, 44}); }
        // Loads supertypes of FileChannelImpl in advance, so that FileChannelImpl itself gets a freed id.
        // FileChannelImpl and the streams each have a field `fd`, and these are different fields.
        Class.forName("java.nio.channels.FileChannel");
        Class.forName("java.nio.channels.GatheringByteChannel");
        Class.forName("java.nio.channels.spi.AbstractInterruptibleChannel");
        WeakReference<ClassLoader> loader = read(file);
        for (int i = 0; i < 5000 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(5);   // waits until other threads (reference handler, cleaners) have dropped the loader
        }
        Class.forName("sun.nio.ch.FileChannelImpl", false, null);
        try (FileChannel channel = FileChannel.open(file.toPath())) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            System.out.println(
                    "gone: " + (loader.get() == null) + ", mapped " + mapped.capacity() + ", first " + mapped.get(0));
        }
        if (!file.delete()) throw new AssertionError(file);
    }
}
