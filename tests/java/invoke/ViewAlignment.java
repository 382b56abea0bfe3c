// Tests variable handles that view bytes as wider values. Accesses except plain get and set need an index that is
// aligned in memory, as ByteBuffer.alignmentOffset reports it. Where the alignment of long values depends on the size
// of an array's header, the test compares only whether the access and alignmentOffset agree.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

public class ViewAlignment {
    static final Class<?>[] VIEWS = {short[].class, char[].class, int[].class, float[].class, long[].class,
            double[].class};

    static int size(Class<?> view) {
        return view == short[].class || view == char[].class ? 2 : view == int[].class || view == float[].class ? 4 : 8;
    }

    interface Access { void at(int index); }

    // Shows which indices an access refuses, and whether alignmentOffset of `offsets` refuses the same indices.
    static void show(String what, int size, int count, ByteBuffer offsets, Access access) {
        StringBuilder refused = new StringBuilder();
        boolean agrees = true;
        String text = null;
        for (int index = 0; index < count; index++) {
            boolean throwsState = false;
            try {
                access.at(index);
            } catch (IllegalStateException misaligned) {
                throwsState = true;
                text = misaligned.getMessage().replaceAll("\\d+", "N");
            }
            agrees &= throwsState == (offsets.alignmentOffset(index, size) != 0);
            refused.append(throwsState ? 'x' : '.');
        }
        System.out.println(what + " " + (size == 8 ? "" : refused + " ") + agrees + " " + text);
    }

    static void buffers(String name, ByteBuffer buffer) {
        for (Class<?> view : VIEWS) {
            VarHandle handle = MethodHandles.byteBufferViewVarHandle(view, ByteOrder.LITTLE_ENDIAN);
            int size = size(view);
            int count = buffer.capacity() - size + 1;
            for (String mode : new String[] {"getOpaque", "getAcquire", "getVolatile"}) {
                var access = handle.toMethodHandle(VarHandle.AccessMode.valueFromMethodName(mode));
                show(name + " " + view.getSimpleName() + " " + mode, size, count, buffer, index -> {
                    try {
                        access.invoke(buffer, index);
                    } catch (RuntimeException thrown) {
                        throw thrown;
                    } catch (Throwable thrown) {
                        throw new AssertionError(thrown);
                    }
                });
            }
        }
    }

    public static void main(String[] args) {
        Map<String, ByteBuffer> all = new LinkedHashMap<>();
        all.put("heap", ByteBuffer.allocate(32));
        all.put("heap slice", ByteBuffer.allocate(32).position(1).slice());
        all.put("heap slice of slice", ByteBuffer.allocate(32).position(1).slice().position(2).slice());
        all.put("wrapped", ByteBuffer.wrap(new byte[40], 5, 30).slice());
        all.put("read-only", ByteBuffer.allocate(32).position(3).slice().asReadOnlyBuffer());
        all.put("aligned slice", ByteBuffer.allocate(32).position(1).slice().alignedSlice(8));
        ByteBuffer direct = ByteBuffer.allocateDirect(64).alignedSlice(8);
        all.put("direct", direct.limit(32).slice());
        all.put("direct slice", direct.position(1).slice());
        for (Map.Entry<String, ByteBuffer> entry : all.entrySet()) buffers(entry.getKey(), entry.getValue());

        byte[] bytes = new byte[32];
        for (Class<?> view : VIEWS) {
            VarHandle handle = MethodHandles.byteArrayViewVarHandle(view, ByteOrder.BIG_ENDIAN);
            var volatileGet = handle.toMethodHandle(VarHandle.AccessMode.GET_VOLATILE);
            show("array " + view.getSimpleName(), size(view), bytes.length - size(view) + 1, ByteBuffer.wrap(bytes),
                    index -> {
                try {
                    volatileGet.invoke(bytes, index);
                } catch (RuntimeException thrown) {
                    throw thrown;
                } catch (Throwable thrown) {
                    throw new AssertionError(thrown);
                }
            });
        }

        // Accesses by ordinary call sites of variable handles. Each site gets aligned and misaligned indices.
        VarHandle ints = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        VarHandle shorts = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
        ByteBuffer slice = ByteBuffer.allocate(32).position(1).slice();
        for (int index = 0; index < 6; index++) {
            try {
                ints.setRelease(slice, index, 0x01020304 + index);
                System.out.println("int " + index + " " + (int) ints.getAcquire(slice, index) + " "
                        + ints.compareAndSet(slice, index, 0x01020304 + index, 7));
            } catch (IllegalStateException misaligned) {
                System.out.println(misaligned.getMessage());
            }
            try {
                System.out.println("short " + index + " " + (short) shorts.getAcquire(slice, index));
            } catch (IllegalStateException misaligned) {
                System.out.println(misaligned.getMessage());
            }
        }
        VarHandle longs = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
        byte[] eight = new byte[16];
        int aligned = (8 - ByteBuffer.wrap(eight).alignmentOffset(0, 8)) & 7;
        System.out.println((long) longs.getAndAdd(eight, aligned, 5L) + " " + (long) longs.getAndAdd(eight, aligned, 6L)
                + " " + (long) longs.getVolatile(eight, aligned));
    }
}
