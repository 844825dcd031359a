// A formula of columns, as "sqrt(pin.fx^2 + pin.fy^2)": compiled once, evaluated row by row.

type Values = number[];
type Term = (v: Values) => number;

const functions: Record<string, (...x: number[]) => number> = {
  abs: Math.abs,
  acos: Math.acos,
  asin: Math.asin,
  atan: Math.atan,
  atan2: Math.atan2,
  cos: Math.cos,
  exp: Math.exp,
  hypot: Math.hypot,
  log: Math.log,
  max: Math.max,
  min: Math.min,
  sign: Math.sign,
  sin: Math.sin,
  sqrt: Math.sqrt,
  tan: Math.tan,
};

export interface Formula {
  columns: number[]; // `value` takes their values in this order
  value: Term;
}

class Mistake extends Error {}

/** undefined if the text is no formula of known names. */
export function compile(text: string, place: (name: string) => number | undefined): Formula | undefined {
  const tokens = text.match(/[A-Za-z_][\w.]*|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[-+*/^(),]|\S/g) ?? [];
  const columns: number[] = [];
  let at = 0;
  const take = (...wanted: string[]): string | undefined => (wanted.includes(tokens[at]) ? tokens[at++] : undefined);
  const expect = (wanted: string): void => {
    if (!take(wanted)) throw new Mistake();
  };

  const operand = (): Term => {
    const token = tokens[at++];
    if (token === undefined) throw new Mistake();
    if (token === "(") {
      const inner = sum();
      expect(")");
      return inner;
    }
    if (/^[.\d]/.test(token)) return () => Number(token);
    const f = functions[token];
    if (f && take("(")) {
      const list = [sum()];
      while (take(",")) list.push(sum());
      expect(")");
      return (v) => f(...list.map((x) => x(v)));
    }
    if (token === "pi") return () => Math.PI;
    const column = place(token);
    if (column === undefined) throw new Mistake();
    let slot = columns.indexOf(column);
    if (slot < 0) slot = columns.push(column) - 1;
    return (v) => v[slot];
  };
  const power = (): Term => {
    const base = operand();
    if (!take("^")) return base;
    const exponent = signed();
    return (v) => base(v) ** exponent(v);
  };
  const signed = (): Term => {
    if (take("+")) return signed();
    if (!take("-")) return power();
    const x = signed();
    return (v) => -x(v);
  };
  const product = (): Term => {
    let left = signed();
    for (let operator = take("*", "/"); operator; operator = take("*", "/")) {
      const [a, b, times] = [left, signed(), operator === "*"];
      left = (v) => (times ? a(v) * b(v) : a(v) / b(v));
    }
    return left;
  };
  const sum = (): Term => {
    let left = product();
    for (let operator = take("+", "-"); operator; operator = take("+", "-")) {
      const [a, b, plus] = [left, product(), operator === "+"];
      left = (v) => (plus ? a(v) + b(v) : a(v) - b(v));
    }
    return left;
  };

  try {
    const value = sum();
    return at === tokens.length ? { columns, value } : undefined;
  } catch (e) {
    if (e instanceof Mistake) return undefined;
    throw e;
  }
}
