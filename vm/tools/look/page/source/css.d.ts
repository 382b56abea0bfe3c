// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// esbuild gathers the styles that modules import.
declare module "*.css";
