// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A request tests the driver's stop flag before it counts itself, so the driver may stop while the request is at work.
public class BluetoothDriverBad {
    volatile boolean stopping, stopped, lastRequestDone;
    int users = 1; // the driver itself

    boolean enter() {
        if (stopping) return false;
        synchronized (this) {
            users++;
        }
        return true;
    }

    void exit() {
        synchronized (this) {
            if (--users == 0) lastRequestDone = true;
        }
    }

    void request() {
        if (!enter()) return;
        assert !stopped : "a request on a driver that has stopped";
        exit();
    }

    void stop() {
        stopping = true;
        exit();
        if (lastRequestDone) stopped = true;
    }

    public static void main(String[] arguments) throws InterruptedException {
        BluetoothDriverBad driver = new BluetoothDriverBad();
        Thread stopper = new Thread(driver::stop);
        stopper.start();
        driver.request();
        stopper.join();
    }
}
