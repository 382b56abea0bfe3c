// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The supertypes and the annotation of Subject.
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

class SubjectBase {
    String inherited() {
        return "base";
    }
}

interface SubjectFace {
    String face();

    default String both() {
        return "default and " + face();
    }
}

@Retention(RetentionPolicy.RUNTIME)
@interface SubjectMark {
    String value();
}
