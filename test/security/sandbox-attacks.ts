/** How an attack may end: with its output, or with the reason why it was stopped. */
type Kind = "ok" | "threw" | "timeout" | "memory" | "output";

export interface Attack {
	readonly name: string;
	readonly code: string;
	/** The acceptable endings. */
	readonly ends: readonly Kind[];
	/** The expected output as JSON. */
	readonly output?: string;
	/** The code may call the host, which echoes its input. */
	readonly asks?: true;
}

const attack = (ends: string, name: string, code: string, output?: string): Attack => ({
	name,
	code,
	ends: ends.split(" ") as Kind[],
	...(output === undefined ? {} : { output }),
});
const asking = (ends: string, name: string, code: string, output?: string): Attack => ({
	...attack(ends, name, code, output),
	asks: true,
});

/** Names of host APIs. None may be reachable in any way. */
const HOST_NAMES =
	'["process","require","module","Buffer","fetch","WebAssembly","setTimeout","Deno","Bun","caches","navigator","importScripts","self","window","print","std","os","http","load","gc","Worker","XMLHttpRequest","WebSocket","crypto","__dirname","global"]';

const escapes: readonly Attack[] = [
	attack(
		"ok",
		"names of a host, on the global object",
		`return ${HOST_NAMES}.filter((name) => name in globalThis)`,
		"[]",
	),
	attack(
		"ok",
		"names of a host, as variables",
		`return ${HOST_NAMES}.filter((name) => { try { return (0, eval)("typeof " + name) !== "undefined" } catch { return false } })`,
		"[]",
	),
	attack("threw", "the constructor's constructor", 'return this.constructor.constructor("return process")()'),
	attack("threw", "the input's constructor", 'return input.constructor.constructor("return process.env")()'),
	attack("threw", "a function's constructor", "return (() => {}).constructor(\"return require('fs')\")()"),
	attack(
		"threw",
		"an async function's constructor",
		'return (async () => {}).constructor("return process")()',
	),
	attack(
		"threw",
		"a generator function's constructor",
		'return (function* () {}).constructor("yield process")().next()',
	),
	attack(
		"threw",
		"a constructor found by Reflect",
		'return Reflect.construct(Function, ["return process"])()',
	),
	attack(
		"threw",
		"a constructor found by a bound function",
		'return Function.bind(null, "return process")()()',
	),
	attack("threw", "indirect eval", 'return (0, eval)("process")'),
	attack(
		"threw",
		"dynamic import of a built-in module",
		'return (await import("node:fs")).readFileSync("/etc/passwd")',
	),
	attack("threw", "dynamic import of a file", 'return await import("/etc/passwd")'),
	attack("threw", "dynamic import of data", 'return await import("data:text/javascript,export default 1")'),
	attack("threw", "import.meta", "return import.meta.url"),
	attack("threw", "static import", 'import fs from "node:fs"; return fs'),
	attack("threw", "modules of other engines", 'return await import("std")'),
	attack("ok", "the host's frames in a stack", "return new Error().stack.includes('sandbox.ts')", "false"),
	attack(
		"ok",
		"the host's objects in a stack trace",
		"Error.prepareStackTrace = (_, frames) => frames; const { stack } = new Error(); return Array.isArray(stack) ? stack.map((frame) => { try { return typeof frame.getThis?.() } catch { return 'no' } }).filter((type) => type === 'object') : 'no'",
	),
	attack("threw ok", "the caller of a function", "return (function f() { return f.caller })() === null"),
	attack(
		"threw",
		"the caller of strict code",
		'"use strict"; return (function () { return arguments.callee })()',
	),
	attack(
		"ok",
		"the prototype of the global object",
		"return Object.getPrototypeOf(globalThis) === Object.prototype",
		"true",
	),
	attack("ok", "the source of an offered function", "return String(console.log).length > 0", "true"),
	attack("threw", "an offered function as a constructor", "return new console.log('x')"),
	attack("threw", "a getter on the exception", "throw { get message() { return process.env.HOME } }"),
	attack(
		"threw",
		"an exception that throws when it is read",
		"throw { get message() { throw { get message() { throw 1 } } } }",
	),
	attack(
		"threw",
		"an exception that is a proxy",
		"throw new Proxy({}, { get() { throw new Error('again') }, has() { throw 1 } })",
	),
	attack("timeout", "an exception that never ends to be read", "throw { get message() { for (;;); } }"),
	attack(
		"timeout",
		"a stack that never ends to be read",
		"throw { message: 'x', get stack() { for (;;); } }",
	),
	attack("threw", "an exception with a huge message", "throw new Error('x'.repeat(1e6))"),
	attack(
		"threw",
		"an exception with a false name",
		"throw Object.assign(new Error('m'), { name: { toString: null } })",
	),
	attack("threw", "an exception without a prototype", "throw Object.create(null)"),
	attack("threw", "a symbol as exception", "throw Symbol('s')"),
	attack("threw", "undefined as exception", "throw undefined"),
	attack("threw", "a function as exception", "throw () => 1"),
	attack(
		"threw ok",
		"the end of the body and something after it",
		"return 1 }); globalThis.escaped = 1; (async function () { return 2",
	),
	attack("threw", "the end of the body and another value", "}), (1"),
	attack("threw", "the end of the body and a plain function", "}), (function () { return 1"),
	attack("threw", "an open comment", "return 1 /*"),
	attack("threw", "an open template", "return `"),
	attack("ok threw", "a zero character", "return 1 \u0000 + 1"),
	attack("threw", "half a character", "return \ud800"),
];

const outputs: readonly Attack[] = [
	attack("output", "a function", "return () => 1"),
	attack("output", "a symbol", "return Symbol.iterator"),
	attack("output", "a big integer", "return { n: 2n ** 64n }"),
	attack("output", "a cycle", "const a = {}; a.a = [a]; return a"),
	attack("output", "a getter that throws", "return { get a() { throw new Error('no') } }"),
	attack("timeout", "a getter that never ends", "return { get a() { for (;;); } }"),
	attack("timeout", "a toJSON that never ends", "return { toJSON() { for (;;); } }"),
	attack("output", "a toJSON that gives a function", "return { toJSON: () => () => 1 }"),
	attack("output timeout", "a toJSON that nests for ever", "return { toJSON() { return { a: this } } }"),
	attack("ok", "toJSON on every object", "Object.prototype.toJSON = () => 'fake'; return { a: 1 }", '"fake"'),
	attack(
		"ok",
		"JSON replaced before the return",
		"JSON.stringify = () => 'not JSON'; JSON.parse = null; return { a: 1 }",
		'{"a":1}',
	),
	attack("ok", "the global JSON replaced", "globalThis.JSON = { stringify: () => '<' }; return [1]", "[1]"),
	attack("ok", "Promise replaced", "globalThis.Promise = null; return 1", "1"),
	attack("ok", "then replaced", "Promise.prototype.then = () => { throw 1 }; return 2", "2"),
	attack(
		"ok",
		"a promise's constructor replaced",
		"Object.defineProperty(Promise.prototype, 'constructor', { get() { throw 1 } }); return 3",
		"3",
	),
	attack("ok", "a thenable as output", "return { then(resolve) { resolve({ a: 1 }) } }", '{"a":1}'),
	attack("threw", "a thenable that never settles", "return { then() {} }"),
	attack(
		"timeout",
		"a thenable that gives another for ever",
		"const next = () => ({ then(resolve) { resolve(next()) } }); return next()",
	),
	attack(
		"ok",
		"array methods replaced",
		"Array.prototype.push = Array.prototype.join = Array.prototype[Symbol.iterator] = () => { throw 1 }; return [1, 2]",
		"[1,2]",
	),
	attack(
		"ok output",
		"setters on the array prototype",
		"Object.defineProperty(Array.prototype, 0, { set() { throw 1 }, configurable: true }); console.log('x', 1); return {}",
		"{}",
	),
	attack(
		"ok",
		"the key __proto__",
		'return JSON.parse(\'{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}\')',
	),
	attack("ok", "a polluted prototype", "Object.prototype.polluted = true; return {}", "{}"),
	attack(
		"ok",
		"toString of every kind",
		"Object.prototype.toString = Object.prototype.valueOf = () => { throw 1 }; return { a: 'b' }",
		'{"a":"b"}',
	),
	attack("ok", "a proxy as output", "return new Proxy({ a: 1 }, {})", '{"a":1}'),
	attack("ok", "a proxy of a list as output", "return new Proxy([1, 2], {})", "[1,2]"),
	attack(
		"timeout memory output",
		"a proxy with endless keys",
		"let n = 0; return new Proxy([], { get: (_, name) => name === 'length' ? 2 ** 31 : name === 'toJSON' ? undefined : n++ })",
	),
	attack(
		"output threw",
		"a revoked proxy",
		"const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy",
	),
	attack("ok", "half characters", "return ['\\ud800', '\\udc00\\ud800', { '\\udfff': 1 }]"),
	attack("ok", "line separators and zeroes", "return '\\u2028\\u2029\\u0000'"),
	attack("ok", "numbers that JSON lacks", "return [NaN, Infinity, -0]", "[null,null,0]"),
	attack("output memory timeout", "a huge text", "return 'x'.repeat(5e6)"),
	attack("output memory timeout", "a huge list", "return new Array(3e6).fill(0)"),
	attack(
		"output timeout memory",
		"one object named many times",
		"let a = 'x'.repeat(1000); for (let i = 0; i < 20; i++) a = [a, a]; return a",
	),
	attack("ok output threw", "a deep nest", "let a = []; for (let i = 0; i < 1e4; i++) a = [a]; return a"),
	attack(
		"ok",
		"a raw text that is not JSON",
		"return JSON.rawJSON ? (() => { try { return JSON.rawJSON('{') } catch { return 1 } })() : 1",
		"1",
	),
	attack("ok", "a date that throws", "try { return new Date(NaN) } finally {}", "null"),
];

const memory: readonly Attack[] = [
	attack("memory timeout", "a list that grows", "const a = []; for (;;) a.push(a.length)"),
	attack("memory timeout", "a list of lists", "const a = []; for (;;) a.push(new Array(1e4).fill(1))"),
	attack("memory threw", "a text that doubles", "let s = 'x'; for (;;) s += s"),
	attack(
		"memory threw timeout",
		"a text that doubles and is flattened",
		"let s = 'xy'; for (;;) { s += s; s.charCodeAt(s.length - 1) }",
	),
	attack("memory threw", "repeat", "return 'x'.repeat(2 ** 29).length"),
	attack("memory threw timeout", "padStart", "return 'x'.padStart(2 ** 29, 'ab').length"),
	attack(
		"memory threw timeout",
		"padEnd in a loop",
		"let s = ''; for (;;) s = s.padEnd(s.length * 2 + 1e5, 'é')",
	),
	attack("memory threw", "a typed array", "return new Uint8Array(2 ** 30).length"),
	attack("memory threw", "many typed arrays", "const a = []; for (;;) a.push(new Float64Array(1e5))"),
	attack("memory threw", "a shared buffer", "return new SharedArrayBuffer(2 ** 30).byteLength"),
	attack(
		"memory threw",
		"a buffer that is resized",
		"const b = new ArrayBuffer(1, { maxByteLength: 2 ** 30 }); b.resize(2 ** 30); return b.byteLength",
	),
	attack(
		"memory threw",
		"a buffer that is transferred",
		"return new ArrayBuffer(8).transfer(2 ** 31).byteLength",
	),
	attack("memory timeout", "a map", "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })"),
	attack("memory timeout", "a set of texts", "const s = new Set(); for (let i = 0; ; i++) s.add('key ' + i)"),
	attack("memory timeout", "keys of an object", "const o = {}; for (let i = 0; ; i++) o['key ' + i] = i"),
	attack("memory timeout", "symbols", "const a = []; for (;;) a.push(Symbol('s'))"),
	attack("memory timeout", "registered symbols", "for (let i = 0; ; i++) Symbol.for('symbol ' + i)"),
	attack("memory threw timeout", "a big integer that squares", "let n = 3n; for (;;) n *= n"),
	attack("memory threw timeout", "a power of big integers", "return String(2n ** (2n ** 40n)).length"),
	attack("memory threw timeout", "a shift of a big integer", "return (1n << (2n ** 33n)) > 0n"),
	attack("memory timeout", "closures", "let f = () => 0; for (;;) { const g = f; f = () => g }"),
	attack(
		"memory timeout",
		"captures of a pattern",
		"const a = []; for (;;) a.push(/(.)(.)(.)(.)(.)(.)(.)(.)/.exec('abcdefgh' + a.length))",
	),
	attack("memory timeout threw", "code made of code", "let s = '1'; for (;;) { s += '+' + s; (0, eval)(s) }"),
	attack(
		"memory timeout",
		"functions made of texts",
		"const a = []; for (let i = 0; ; i++) a.push(new Function('return ' + i))",
	),
	attack(
		"memory timeout",
		"suspended generators",
		"const a = []; for (;;) { const g = (function* () { yield new Array(100) })(); g.next(); a.push(g) }",
	),
	attack(
		"memory timeout",
		"weak references that stay",
		"const a = []; for (;;) { const o = {}; a.push(new WeakRef(o), o) }",
	),
	attack(
		"memory timeout",
		"out of memory, caught again and again",
		"const a = []; for (;;) { try { for (;;) a.push(new Array(1000).fill(0)) } catch {} }",
	),
	attack(
		"ok memory threw timeout",
		"out of memory, caught and gone on from",
		"let a = []; try { for (;;) a.push('x'.repeat(1e5) + a.length) } catch { a = null } return 'caught'",
		'"caught"',
	),
	attack("memory threw timeout", "spread of a huge list", "return Math.max(...new Array(1e7))"),
	attack(
		"memory threw timeout",
		"apply with a huge list",
		"return String.fromCharCode.apply(null, { length: 1e9 })",
	),
	attack("memory threw timeout", "concat that doubles", "let a = [1]; for (;;) a = a.concat(a)"),
	attack(
		"memory threw timeout",
		"flat of shared lists",
		"let a = [1, 1]; for (let i = 0; i < 40; i++) a = [a, a]; return a.flat(Infinity).length",
	),
	attack(
		"memory threw timeout",
		"Array.from of a length",
		"return Array.from({ length: 2 ** 32 - 1 }).length",
	),
	attack(
		"memory threw timeout",
		"a structured text parsed",
		"return JSON.parse('[' + '0,'.repeat(1e7) + '0]').length",
	),
];

const nativeLoops: readonly Attack[] = [
	attack("timeout memory threw", "join of holes", "const a = []; a.length = 2 ** 32 - 1; return a.join('')"),
	attack("timeout threw", "reverse of holes", "const a = []; a.length = 2 ** 32 - 1; a.reverse()"),
	attack("timeout", "lastIndexOf", "return [].lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)"),
	attack("timeout", "indexOf", "return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)"),
	attack("timeout", "includes", "return [].includes.call({ length: 2 ** 53 - 1 }, 1)"),
	attack("timeout memory", "sort of holes", "const a = []; a.length = 2 ** 32 - 1; a.sort()"),
	attack(
		"timeout",
		"sort with a comparison that lies",
		"for (;;) Array.from({ length: 1e4 }, (_, i) => i).sort(() => Math.random() - 0.5)",
	),
	attack("timeout memory", "fill", "[].fill.call({ length: 2 ** 53 - 1 }, 1)"),
	attack("timeout threw", "copyWithin", "[].copyWithin.call({ length: 2 ** 53 - 1 }, 1, 0)"),
	attack("timeout", "forEach", "[].forEach.call({ length: 2 ** 53 - 1 }, () => {})"),
	attack("timeout", "some", "[].some.call({ length: 2 ** 53 - 1 }, () => false)"),
	attack("timeout threw", "reduceRight", "[].reduceRight.call({ length: 2 ** 53 - 1 }, () => 0)"),
	attack("timeout threw", "splice", "[].splice.call({ length: 2 ** 53 - 1 }, 0, 1)"),
	attack("timeout threw", "unshift", "[].unshift.call({ length: 2 ** 53 - 2 }, 1)"),
	attack(
		"timeout threw memory",
		"toString of holes",
		"const a = []; a.length = 2 ** 31; return String(a).length",
	),
	attack(
		"timeout threw memory",
		"keys spread",
		"const a = []; a.length = 2 ** 32 - 1; return [...a.keys()].length",
	),
	attack(
		"timeout",
		"copyWithin of a typed array, again and again",
		"const a = new Uint8Array(8e6); for (;;) a.copyWithin(1, 0)",
	),
	attack(
		"timeout",
		"fill of a typed array, again and again",
		"const a = new Uint8Array(8e6); for (;;) a.fill(1)",
	),
	attack(
		"timeout",
		"indexOf in a typed array, again and again",
		"const a = new Uint8Array(8e6); for (;;) a.indexOf(1)",
	),
	attack(
		"timeout memory",
		"sort of a typed array",
		"for (;;) new Float64Array(5e5).map((_, i) => -i).sort()",
	),
	attack(
		"timeout memory",
		"replace in a long text",
		"let s = 'a'.repeat(1e6); for (;;) s = s.replaceAll('a', 'b').replaceAll('b', 'a')",
	),
	attack("timeout memory", "split of a long text", "const s = 'a,'.repeat(5e5); for (;;) s.split(',')"),
	attack(
		"timeout",
		"indexOf in a long text",
		"const s = 'a'.repeat(4e6); for (;;) s.indexOf('a'.repeat(1000) + 'b')",
	),
	attack(
		"timeout memory",
		"normalize",
		"const s = '\\u1e9b\\u0323'.repeat(2e5); for (;;) s.normalize('NFKD')",
	),
	attack("timeout memory", "localeCompare", "const s = 'é'.repeat(1e6); for (;;) s.localeCompare(s + 'x')"),
	attack("timeout memory", "toUpperCase", "const s = 'ß'.repeat(1e6); for (;;) s.toUpperCase()"),
	attack(
		"timeout memory",
		"stringify of a wide value",
		"const a = Array.from({ length: 1e5 }, (_, i) => ({ i })); for (;;) JSON.stringify(a)",
	),
	attack(
		"timeout memory threw",
		"stringify of nests",
		"let a = []; for (let i = 0; i < 1000; i++) a = [a]; for (;;) JSON.stringify(a, null, 10)",
	),
	attack("timeout memory", "digits of a big integer", "return String(3n ** 3000000n).length"),
	attack(
		"timeout memory",
		"division of big integers",
		"const n = 7n ** 200000n; for (;;) n ** 2n / (n + 1n)",
	),
	attack("timeout memory threw", "big integer from a long text", "return BigInt('9'.repeat(3e6)) > 0n"),
	attack("timeout memory", "escape", "const s = '\\u0100'.repeat(1e6); for (;;) encodeURIComponent(s)"),
	attack("timeout memory", "base 64", "const s = 'a'.repeat(4e6); for (;;) atob(btoa(s))"),
	attack(
		"timeout memory",
		"Object.entries of a wide object",
		"const o = Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ['k' + i, i])); for (;;) Object.entries(o)",
	),
	attack(
		"timeout memory",
		"groupBy",
		"const a = new Array(1e5).fill(1); for (;;) Map.groupBy(a, (n, i) => i)",
	),
	attack(
		"timeout",
		"set operations",
		"const s = new Set(Array.from({ length: 5e4 }, (_, i) => i)); for (;;) s.isSubsetOf(s)",
	),
];

const recursion: readonly Attack[] = [
	attack("threw", "plain", "function f() { return f() + 1 } return f()"),
	attack(
		"threw",
		"with many variables",
		`function f() { let ${Array.from({ length: 500 }, (_, i) => `a${i} = ${i}`).join()}; return f() + a1 } return f()`,
	),
	attack("threw", "with many arguments", "function f(...all) { return f(...all, 1, 2, 3) } return f()"),
	attack("threw", "toString", "const o = { toString() { return '' + o } }; return '' + o"),
	attack("threw", "a getter", "const o = { get a() { return this.a } }; return o.a"),
	attack(
		"threw",
		"a proxy that is its own prototype",
		"const p = new Proxy({}, { get(_, name, self) { return self[name] } }); return p.a",
	),
	attack(
		"threw ok",
		"proxies of proxies",
		"let p = {}; for (let i = 0; i < 1e4; i++) p = new Proxy(p, {}); return p.a ?? null",
	),
	attack(
		"threw ok memory timeout",
		"bound functions of bound functions",
		"let f = () => 1; for (let i = 0; i < 1e4; i++) f = f.bind(null); return f()",
	),
	attack("threw", "JSON.parse", "return JSON.parse('['.repeat(1e5))"),
	attack(
		"threw",
		"JSON.parse with a reviver",
		"return JSON.parse('['.repeat(3e3) + ']'.repeat(3e3), function f(key, value) { return JSON.parse('[1]', f) })",
	),
	attack(
		"threw ok",
		"a deeply nested pattern",
		"return new RegExp('('.repeat(1e4) + ')'.repeat(1e4)).test('')",
	),
	attack("threw", "deeply nested code", "return (0, eval)('('.repeat(1e5) + ')'.repeat(1e5))"),
	attack(
		"threw ok",
		"deeply nested lists in code",
		"return (0, eval)('['.repeat(1e4) + ']'.repeat(1e4)).length",
	),
	attack("threw ok", "a long chain of operators", "return (0, eval)('1' + '+1'.repeat(3e4))"),
	attack("threw", "generators", "function* f() { yield* f() } return [...f()]"),
	attack("threw", "async functions", "async function f() { return await f() } return await f()"),
	attack("threw", "sort", "const a = [2, 1]; a.sort(function f() { return [2, 1].sort(f) && 1 })"),
	attack("threw", "replace", "return 'a'.replace(/a/, function f() { return 'a'.replace(/a/, f) })"),
	attack("threw", "constructors", "class A { constructor() { new A() } } new A()"),
	attack("threw", "Symbol.toPrimitive", "const o = { [Symbol.toPrimitive]() { return +o } }; return +o"),
	attack(
		"threw ok timeout",
		"a prototype chain",
		"let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); return o.a ?? null",
	),
	attack(
		"threw timeout ok",
		"toString of nested lists",
		"let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return String(a)",
	),
	attack(
		"threw timeout",
		"recursion that is caught",
		"function f() { try { f() } catch { f() } } f(); return 1",
	),
	attack(
		"threw timeout ok",
		"recursion in finally",
		"let n = 0; function f() { try { f() } finally { if (n++ < 1e7) f() } } f()",
	),
	attack(
		"ok threw timeout",
		"freeing a long list",
		"let a = null; for (let i = 0; i < 2e5; i++) a = { a }; a = null; return 1",
	),
	attack(
		"threw ok",
		"errors that cause errors",
		"let e; for (let i = 0; i < 1e4; i++) e = new Error('x', { cause: e }); throw e",
	),
];

const endless: readonly Attack[] = [
	attack("timeout", "for", "for (;;);"),
	attack("timeout", "while with a label", "outer: while (true) { inner: for (;;) continue outer }"),
	attack("timeout", "do", "do {} while (1)"),
	attack("timeout", "a stop that is caught", "for (;;) try { for (;;); } catch {}"),
	attack("timeout", "a stop that is turned into an output", "try { for (;;); } finally { return 'went on' }"),
	attack(
		"timeout",
		"a stop in a generator's finally",
		"const g = (function* () { try { for (;;) yield } finally { for (;;); } })(); g.next(); g.return()",
	),
	attack(
		"timeout",
		"an iterator without end",
		"for (const x of { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) });",
	),
	attack(
		"timeout memory",
		"a spread without end",
		"return [...{ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) }]",
	),
	attack("timeout", "eval", "(0, eval)('for (;;);')"),
	attack("timeout", "a function made of text", "new Function('for (;;);')()"),
	attack(
		"timeout",
		"microtasks that start each other",
		"queueMicrotask(function f() { queueMicrotask(f) }); await new Promise(() => {})",
	),
	attack(
		"timeout",
		"promises that start each other",
		"const f = () => Promise.resolve().then(f); return await f()",
	),
	attack("timeout", "await without end", "for (;;) await 0"),
	attack("timeout memory", "a flood of promises", "for (;;) Promise.resolve().then(() => {})"),
	attack("timeout memory", "a flood of rejections", "for (;;) Promise.reject(new Error('x'))"),
	attack("threw", "a promise that never settles", "await new Promise(() => {})"),
	attack(
		"threw",
		"a promise that waits for itself",
		"let p; p = (async () => { await 0; return await p })(); return await p",
	),
	attack(
		"threw",
		"an async iterator that never comes",
		"for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });",
	),
	attack("ok", "work that goes on after the return", "(async () => { for (;;) await 0 })(); return 1", "1"),
	attack("timeout", "(a+)+", "return /^(a+)+$/.test('a'.repeat(40) + 'b')"),
	attack("timeout threw", "(a|aa)+", "return /^(a|aa)+$/.test('a'.repeat(60) + 'b')"),
	attack("timeout threw", "(.*)*", "return /^(.*)*x$/s.test('a'.repeat(40) + 'b')"),
	attack("timeout threw memory", "backreferences", "return /^(a*)\\1*(a*)\\2*b$/.test('a'.repeat(3e3))"),
	attack(
		"timeout threw memory",
		"nested quantifiers",
		"return /((a{1,100}){1,100}){1,100}b/.test('a'.repeat(500))",
	),
	attack("timeout threw", "lookahead", "return /(?=(a+))*(a+)*b/.test('a'.repeat(40))"),
	attack(
		"timeout memory threw",
		"a replace with a slow pattern",
		"return 'a'.repeat(1e5).replace(/a*b/g, '').length",
	),
	attack(
		"threw timeout memory",
		"a huge quantifier",
		"return new RegExp('(?:a{1000}){1000}{1000}').test('a')",
	),
	attack(
		"ok threw",
		"waiting on shared memory",
		"return typeof Atomics === 'undefined' ? 1 : Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
	),
	attack("timeout", "a clock that is waited for", "const start = Date.now(); while (Date.now() === start);"),
	attack(
		"timeout",
		"a finalizer that starts again",
		"const r = new FinalizationRegistry(() => { for (;;); }); r.register({}, 1); for (;;) ({})",
	),
	attack("timeout", "tagged templates", "const f = (s) => f; for (;;) f`a``b``c`"),
	attack("timeout", "comma and void", "for (;;) void (0, 0)"),
];

const talk: readonly Attack[] = [
	attack("timeout ok", "a flood of lines", "for (let i = 0; i < 3e5; i++) console.log('line ' + i)"),
	attack("ok", "a huge line", "console.log('x'.repeat(2e6)); return 1", "1"),
	attack(
		"ok",
		"what cannot be shown",
		"console.log(new Proxy({}, { get() { throw 1 } }), { toJSON() { throw 2 } }, Symbol('s'), 1n, undefined, () => 1); return 1",
		"1",
	),
	attack("timeout", "what never ends to be shown", "console.log({ toJSON() { for (;;); } })"),
	attack("ok", "the console replaced", "console.log = null; globalThis.console = 5; return 1", "1"),
	attack(
		"ok",
		"control characters in a line",
		"console.log('\\u001b[2J\\u0000\\r\\n\\ud800'); return 1",
		"1",
	),
	asking("ok", "an answer", "return await http({ a: [1, 'é'] })", '{"a":[1,"é"]}'),
	asking(
		"ok",
		"more requests than are allowed",
		"const all = await Promise.allSettled(Array.from({ length: 60 }, (_, i) => http(i))); return all.filter(({ status }) => status === 'rejected').length",
		"10",
	),
	asking("threw", "a request that is not JSON", "return await http(() => 1)"),
	asking("threw", "a request in a cycle", "const a = {}; a.a = a; return await http(a)"),
	asking(
		"ok",
		"JSON and promises replaced around a request",
		"JSON.parse = JSON.stringify = () => { throw 1 }; Promise.resolve = () => { throw 1 }; return await http([1])",
		"[1]",
	),
	asking("ok", "a return before the answer", "http(1); return 2", "2"),
	asking("timeout", "an endless loop after an answer", "await http(1); for (;;);"),
	asking(
		"threw",
		"a promise that never settles after an answer",
		"await http(1); await new Promise(() => {})",
	),
	asking("memory threw timeout", "requests that grow", "let a = 'x'; for (;;) a = (await http(a + a)) + a"),
	asking("memory timeout", "a flood of requests", "for (;;) http(1).catch(() => {})"),
	asking(
		"ok",
		"requests that are left alone",
		"for (let i = 0; i < 20; i++) http(i).catch(() => {}); return 1",
		"1",
	),
];

/** Each tries to leave something for the next run to find. */
const traces: readonly Attack[] = [
	attack("ok", "a global variable", "globalThis.left = 1; left2 = 2; var left3 = 3; return 1"),
	attack(
		"ok",
		"global functions made by eval",
		"(0, eval)('var left = 1; function left4() {} let left5 = 2; class Left6 {}'); return 1",
	),
	attack(
		"ok",
		"prototypes of everything",
		"for (const name of Object.getOwnPropertyNames(globalThis)) { const proto = globalThis[name]?.prototype; if (proto) try { proto.left = name } catch {} } return 1",
	),
	attack(
		"ok",
		"methods replaced",
		"String.prototype.slice = Array.prototype.map = Object.keys = Reflect.apply = () => 'left'; return 1",
	),
	attack(
		"ok",
		"everything deleted",
		"for (const name of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[name] } catch {} return 1",
	),
	attack(
		"ok",
		"everything frozen",
		"for (const name of Object.getOwnPropertyNames(globalThis)) try { Object.freeze(globalThis[name]); Object.freeze(globalThis[name].prototype) } catch {} Object.preventExtensions(globalThis); return 1",
	),
	attack(
		"ok",
		"getters on the prototype of objects",
		"Object.defineProperty(Object.prototype, 'code', { get() { return 'left' }, configurable: false }); return 1",
	),
	attack("ok", "Math.random replaced", "Math.random = () => 0.5; Math.left = 1; return 1"),
	attack(
		"ok",
		"the clock replaced",
		"Date.now = () => 1; globalThis.Date = function () { return 1 }; return 1",
	),
	attack(
		"ok",
		"errors changed",
		"Error.prepareStackTrace = () => 'left'; Error.stackTraceLimit = 0; Error.prototype.name = 'Left'; return 1",
	),
	attack(
		"ok",
		"registered symbols that stay",
		"globalThis[Symbol.for('left')] = 1; return Symbol.for('left').description",
	),
	attack("ok", "the last match of a pattern", "/(l)(e)(f)t/.exec('left'); return RegExp.$1 ?? null"),
	attack("ok", "a pattern's last index", "RegExp.prototype.left = 1; /x/g.lastIndex = 5; return 1"),
	attack(
		"ok",
		"work that waits",
		"queueMicrotask(() => { globalThis.left = 1 }); Promise.resolve().then(() => { globalThis.left2 = 1 }); return 1",
	),
	attack(
		"threw",
		"work that waits behind an error",
		"queueMicrotask(() => { globalThis.left = 1 }); throw new Error('x')",
	),
	attack("ok", "a rejection that nobody handles", "Promise.reject(new Error('left')); return 1"),
	attack(
		"ok",
		"a finalizer",
		"new FinalizationRegistry(() => { globalThis.left = 1 }).register({}, 'left'); return 1",
	),
	attack("ok", "a full log", "for (let i = 0; i < 200; i++) console.log('left ' + i); return 1"),
	attack(
		"ok",
		"cached template objects",
		"const tag = (strings) => strings; const strings = tag`left`; return Object.isFrozen(strings)",
	),
	attack(
		"ok",
		"well-known symbols",
		"Array[Symbol.species]; Object.defineProperty(Array, Symbol.species, { value: class Left extends Array {} }); Array.prototype[Symbol.isConcatSpreadable] = false; return 1",
	),
	attack(
		"ok",
		"iterators changed",
		"Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true }); return 1",
	),
	attack(
		"ok",
		"prototypes of async functions",
		"Object.getPrototypeOf(async () => {}).left = 1; Object.getPrototypeOf(function* () {}).prototype.left = 1; return 1",
	),
	attack(
		"ok",
		"the prototype of the global object changed",
		"Object.setPrototypeOf(globalThis, { left: 1 }); return 1",
	),
	attack(
		"ok",
		"the prototype of functions changed",
		"Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 'left'; return 1",
	),
	attack(
		"ok",
		"then changed",
		"Promise.prototype.then = function () { return 'left' }; Promise.prototype.left = 1; return 1",
	),
	attack(
		"ok",
		"memory filled with a mark",
		"const a = new Uint8Array(3e5).fill(0xab); const s = 'left'.repeat(2e4); return a.length + s.length",
	),
	attack(
		"threw",
		"a deep stack filled with a mark",
		"function f(a, b, c, d) { return f('left', 'left', a, b) + c + d } return f()",
	),
	attack(
		"ok",
		"a garbage collection forced",
		"for (let i = 0; i < 2e4; i++) { const a = {}; a.a = a } return 1",
	),
	attack("ok", "memory that grew and shrank", "let a = new Array(2e5).fill({}); a = null; return 1"),
	asking("ok", "requests that were never answered", "for (let i = 0; i < 8; i++) http('left'); return 1"),
	asking("ok", "the offered function replaced", "globalThis.http = () => 'left'; return 1"),
];

export const attacks: Readonly<Record<string, readonly Attack[]>> = {
	escapes,
	outputs,
	memory,
	"native loops": nativeLoops,
	recursion,
	endless,
	talk,
	traces,
};
