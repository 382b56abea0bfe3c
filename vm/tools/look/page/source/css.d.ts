// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets modules import style sheets, which esbuild collects into the page.
declare module "*.css";
