// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SCTP on a machine without libsctp, or whose kernel does not support it: opening a channel reports this.
import java.util.concurrent.Callable;

import com.sun.nio.sctp.SctpChannel;
import com.sun.nio.sctp.SctpMultiChannel;
import com.sun.nio.sctp.SctpServerChannel;

public class SctpChannels {
    static void open(Callable<AutoCloseable> action) {
        try (AutoCloseable channel = action.call()) {
            System.out.println("open");
        } catch (UnsupportedOperationException refusal) {
            System.out.println(refusal);
        } catch (Throwable failure) {
            System.out.println("fails: " + failure);
        }
    }

    public static void main(String[] arguments) {
        if (ModuleLayer.boot().findModule("jdk.sctp").isEmpty()) {
            System.out.println("a runtime image without SCTP");
            return;
        }
        open(SctpChannel::open);
        open(SctpServerChannel::open);
        open(SctpMultiChannel::open);
    }
}
