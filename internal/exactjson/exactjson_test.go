package exactjson

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestMarshal(t *testing.T) {
	huge, _ := new(big.Int).SetString("577116156815309849672", 10)
	for _, c := range []struct {
		value any
		want  string
	}{
		{uint64(1) << 53, `9007199254740992`},
		{uint64(1)<<53 + 1, `"9007199254740993"`},
		{-(int64(1) << 53), `-9007199254740992`},
		{-(int64(1)<<53 + 1), `"-9007199254740993"`},
		{^uint64(0), `"18446744073709551615"`},
		{huge, `"577116156815309849672"`},
		{1e300, `1e+300`},
		{12345678901234567.5, `12345678901234568`},
		{"9007199254740993 and \"9007199254740993\" \\", `"9007199254740993 and \"9007199254740993\" \\"`},
		{"<&>", `"<&>"`},
		{map[string]any{"9007199254740993": []any{^uint64(0), 1, -5, ^uint64(0), nil, true}},
			`{"9007199254740993":["18446744073709551615",1,-5,"18446744073709551615",null,true]}`},
	} {
		got, err := Marshal(c.value)
		if f, float := c.value.(float64); float && f > 1e16 && f < 1e17 {
			c.want = `"` + c.want + `"` // it is an integer as it stands there
		}
		if err != nil || string(got) != c.want {
			t.Errorf("%v: %s, %v; want %s", c.value, got, err, c.want)
		}
	}
	if _, err := Marshal(func() {}); err == nil {
		t.Error("a function is written")
	}
}

// What a reader with floating point gets is what was written.
func TestExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		want := rng.Uint64() >> rng.IntN(64)
		text, err := Marshal(map[string]any{"a": []uint64{want}})
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ A []any }
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		switch x := got.A[0].(type) {
		case float64:
			if x >= 1<<63 || uint64(x) != want {
				t.Fatalf("%d is read as %v", want, x)
			}
		case string:
			if y, ok := new(big.Int).SetString(x, 10); !ok || y.Uint64() != want {
				t.Fatalf("%d is read as %q", want, x)
			}
		}
	}
}

func TestAppendUint(t *testing.T) {
	for _, v := range []uint64{0, 7, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<64 - 1} {
		want, err := Marshal(v)
		if got := AppendUint(nil, v); err != nil || string(got) != string(want) {
			t.Errorf("%d is %s, %v, want %s", v, got, err, want)
		}
	}
}
