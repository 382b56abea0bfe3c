// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A main method that is not static.
public class InstanceMain { public void main(String[] args) { } }
