// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Verdicts IN OUT: loads each class of a corpus in a loader of its own, links it, and writes the outcome in a line.
//
// The corpus has for each class its label (UTF), whether to call its static method m, its length and its bytes.
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public class Verdicts {
    static class Loader extends ClassLoader {
        Loader() {
            super("corpus", Verdicts.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    static String verdict(byte[] bytes, boolean call) {
        try {
            Loader loader = new Loader();
            Class<?> type = loader.define(bytes);
            Class.forName(type.getName(), true, loader);
            if (!call) return "linked";
            Method method = type.getDeclaredMethod("m");
            method.setAccessible(true);
            return "returned " + method.invoke(null);
        } catch (InvocationTargetException e) {
            return "threw " + spelled(e.getCause());
        } catch (Throwable e) {
            return spelled(e);
        }
    }

    // The address of a loader differs from run to run.
    static String spelled(Throwable e) {
        String cause = e.getCause() == null ? "" : " caused by " + spelled(e.getCause());
        String text = (e + cause).replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
        return text.replaceAll("@[0-9a-f]{4,}", "@");
    }

    public static void main(String[] args) throws Exception {
        try (var in = new DataInputStream(new BufferedInputStream(new FileInputStream(args[0])));
                var out = new PrintWriter(args[1], "UTF-8")) {
            while (true) {
                String label;
                try {
                    label = in.readUTF();
                } catch (EOFException end) {
                    return;
                }
                boolean call = in.readBoolean();
                byte[] bytes = in.readNBytes(in.readInt());
                out.println(label + "\t" + verdict(bytes, call));
            }
        }
    }
}
