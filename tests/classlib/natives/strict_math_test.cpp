// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests StrictMath against OpenJDK 17. For each function and each of seven ranges of arguments, the results are hashed,
// and the expected hash is that of OpenJDK 17's StrictMath for the same arguments (xorshift64 from 0x9E3779B97F4A7C15,
// h = 31 h + bits, NaN canonical).
#include "classlib/natives/java.base/lang/strict_math.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace keyhole {
namespace {

constexpr i32 function_count = 16;
using Hashes = std::array<u64, function_count>;

class Arguments {
 public:
  // Returns an argument in one of seven ranges. 0: any bits; 1 to 4: around zero, in several magnitudes; 5: next to
  // multiples of pi/2; 6: around one.
  f64 next(i32 range) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    i64 bits = static_cast<i64>(state_);
    f64 unit = static_cast<f64>(bits >> 11) * 0x1p-52;
    switch (range) {
      case 0: return __builtin_bit_cast(f64, state_);
      case 1: return unit;
      case 2: return unit * 1000;
      case 3: return unit * 1e6;
      case 4: return unit * 1e-5;
      case 5: return static_cast<i32>(bits >> 40) * M_PI / 2 * (1 + (static_cast<f64>(state_ & 7) - 3) * 0x1p-52);
      default: return 1 + static_cast<f64>(bits >> 11) * 0x1p-62;
    }
  }

 private:
  u64 state_ = 0x9E3779B97F4A7C15ull;
};

Hashes hash_range(Arguments& arguments, i32 range, i32 count) {
  namespace m = strict_math;
  Hashes hashes{};
  for (i32 i = 0; i < count; ++i) {
    f64 x = arguments.next(range), y = arguments.next(range);
    f64 values[] = {m::sin(x),      m::cos(x),   m::tan(x),    m::asin(x),          m::acos(x),  m::atan(x),
                    m::atan2(y, x), m::expm1(x), m::log(x),    m::log10(x),         m::log1p(x), m::sinh(x),
                    m::cosh(x),     m::tanh(x),  std::sqrt(x), std::remainder(x, y)};
    for (i32 k = 0; k < function_count; ++k) {
      u64 bits = std::isnan(values[k]) ? 0x7FF8'0000'0000'0000ull : __builtin_bit_cast(u64, values[k]);
      hashes[k] = hashes[k] * 31 + bits;
    }
  }
  return hashes;
}

constexpr Hashes expected[] = {
    Hashes{0x6fd9bc7a8b077193ull, 0x6cf1dc2ad1bdf113ull, 0xe036fb9d85b2924full, 0x47d73e7bcec28792ull,
           0xb8c2114afba187d7ull, 0x52d7dbbc3738be49ull, 0x34adf798a2ff3484ull, 0x27021fb15d45d36cull,
           0xfe4892107310cbb2ull, 0xe3e2b2e58187271ull, 0xc2a2bb7276aee4e9ull, 0x3c0cb64aee0f2e87ull,
           0x92e040d53c0359caull, 0xb2a4e003b39dfebaull, 0x50f6e261cc8dad5full, 0xc8ad1fa479f49347ull},
    Hashes{0x4bc16aec894a0d88ull, 0xdf5d314919791cfbull, 0xe55b759f06d7c503ull, 0x634abafd4ad26f6ull,
           0x87d957aa69f07e4ull, 0x6455f7787afe0c68ull, 0xd9f7c38189f1744dull, 0x144473f4fe126afcull,
           0x715e78df7faf78d2ull, 0x1546dbf503c29740ull, 0xc64e1ccfaf476da6ull, 0x5a2a2dd0d53b24f2ull,
           0x3deac6af8e662ac0ull, 0x1d99dc287f816ef5ull, 0x83d147523da3d247ull, 0xf58324e0fd915ac4ull},
    Hashes{0x54edc5b4cfd3b4bcull, 0xac5f93917c0147eaull, 0x353632aa6f458706ull, 0x40260638f6c76ad0ull,
           0x605b0422617c85efull, 0x42274e7da45f7647ull, 0xa4076fe3d0f05438ull, 0xd1ce3c6d3cbdaec6ull,
           0x43c3a907174f627dull, 0xc9f680b36b1c9414ull, 0xcc19301cb3bc35ceull, 0x59049365533410f4ull,
           0x7458957626f583e7ull, 0x467e52f5f0d36cceull, 0x844ac2369598d78bull, 0x6f868acce377b181ull},
    Hashes{0x64823e87d36dc31full, 0x74f6db94008bd535ull, 0x870475a307092859ull, 0xd000000000000000ull,
           0xd000000000000000ull, 0xc2aaf5299a982dd6ull, 0x27c93357613776dfull, 0x13659071348d4e14ull,
           0x7fe3e0d9d474e9a7ull, 0x9e8613eeb5d7a0e2ull, 0x506cfba27bb5c9d3ull, 0x71a9b883a6028bcull,
           0x56268e2d1b1ae2bcull, 0x837153622430452cull, 0xceaaaadaf5ae0839ull, 0x7b22113e9c7ca1d5ull},
    Hashes{0x3dcd158577969beull, 0x4a9e16a73c7ff4cbull, 0x8ef6ab96f86667f9ull, 0xda312ed5acdf5c82ull,
           0xa0291796d7915300ull, 0x4f1754970bf25e47ull, 0xa66053de5a8657aull, 0xe4ca974b404c1946ull,
           0x13823273fcffe9b5ull, 0xd7ae513a22bbc580ull, 0x7a4e0cb15e75d3c9ull, 0x3a77115b15568180ull,
           0x234be9831632d47bull, 0xd8141ed72d157650ull, 0x38a2628db70e56fbull, 0x2c2bdc9ea957f8f9ull},
    Hashes{0x67030f2ab7d89e49ull, 0x8d08268023bd352dull, 0xc5882d9ee45d86d9ull, 0xd000000000000000ull,
           0xd000000000000000ull, 0x1dd7f50b69a8da36ull, 0x368c5335ea948276ull, 0xb9c678f0c4c894bcull,
           0xe14978dba65e29bbull, 0x7e4a27c7581d90e2ull, 0xeef2f1627109268ull, 0xc0e4b21fbbb0d017ull,
           0x40e4b21fbbb0d017ull, 0x2000000000000000ull, 0x635d0670b51cb60ull, 0x9ca6592a856cc22aull},
    Hashes{0x24520a52c559ba81ull, 0x4e3b02db1779c104ull, 0xb6f4cd769dc15e93ull, 0x5b8c0e8038ebb2a3ull,
           0xf222581c1d569005ull, 0xd4f4f8147a4c869dull, 0xb02e3d9ec3da2686ull, 0x6461a4721b4a9c91ull,
           0x3c3a3206c43059faull, 0x711c14c8e38e5fedull, 0x5059937384a26772ull, 0xdd2328792b807138ull,
           0x4844e8656b93f987ull, 0x1a43f4816657ba3bull, 0x49efebe3c5ba9531ull, 0x6f7caecb5c6c6e00ull},
};

TEST(StrictMath, EveryBitAsInOpenJdk17) {
  constexpr std::array names = {"sin", "cos",   "tan",   "asin", "acos", "atan", "atan2", "expm1",
                                "log", "log10", "log1p", "sinh", "cosh", "tanh", "sqrt",  "IEEEremainder"};
  Arguments arguments;
  for (i32 range = 0; range < 7; ++range) {
    Hashes found = hash_range(arguments, range, 60000);
    for (i32 k = 0; k < function_count; ++k) EXPECT_EQ(found[k], expected[range][k]) << names[k] << ", range " << range;
  }
}

TEST(StrictMath, SpecialArguments) {
  namespace m = strict_math;
  f64 infinity = INFINITY;
  EXPECT_TRUE(std::isnan(m::sin(infinity)));
  EXPECT_TRUE(std::signbit(m::sin(-0.0)));
  EXPECT_EQ(m::cos(0.0), 1.0);
  EXPECT_EQ(m::log(0.0), -infinity);
  EXPECT_TRUE(std::isnan(m::log(-1.0)));
  EXPECT_EQ(m::atan2(-0.0, -1.0), -M_PI);
  EXPECT_EQ(m::atan2(0.0, 1.0), 0.0);
  EXPECT_EQ(m::expm1(-infinity), -1.0);
  EXPECT_EQ(m::log1p(-1.0), -infinity);
  EXPECT_EQ(m::tanh(infinity), 1.0);
  EXPECT_EQ(m::sinh(1000.0), infinity);
  EXPECT_EQ(m::log10(1000.0), 3.0);
}

}  // namespace
}  // namespace keyhole
