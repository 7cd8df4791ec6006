import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { compileExpression } from "../../src/expressions/compile-expression.ts";
import { compileText } from "../../src/expressions/compile-text.ts";
import { TerminalError } from "../../src/terminal-error.ts";
import {
	catchFailure,
	createFrame,
	createMeter,
	createNames,
	evaluateCel,
	evaluateText,
} from "./evaluate.ts";

const input = JSON.parse(
	'{"a":"x","list":[1],"__proto__":{"x":1},"constructor":{"x":1},"prototype":1}',
) as Json;
const names = createNames({ input, credential: { x: "s3cret" } });

/** Asserts that it does not compile or fails with a `TerminalError`, and never returns a value. */
function assertRefused(run: () => { ok: boolean; value?: (() => unknown) | undefined }): void {
	const result = run();
	if (result.ok) assert.throws(() => result.value?.(), TerminalError);
}

const text = (template: string) => () => {
	const result = compileText(template, names, createMeter());
	return result.ok ? { ok: true, value: () => result.value(createFrame(createMeter())) } : { ok: false };
};
const cel = (expression: string) => () => {
	const result = compileExpression(expression, names, { item: false, meter: createMeter() });
	return result.ok ? { ok: true, value: () => result.value(createFrame(createMeter()))() } : { ok: false };
};

const REFUSED = ["__proto__", "constructor", "prototype"];
const INHERITED = [
	"toString",
	"valueOf",
	"hasOwnProperty",
	"isPrototypeOf",
	"__defineGetter__",
	"__defineSetter__",
	"__lookupGetter__",
	"toLocaleString",
];

describe("no template can reach beyond the data:", () => {
	const spellings = [
		...REFUSED.flatMap((part) => [
			`{{${part}}}`,
			`{{${part}.x}}`,
			`{{input.${part}}}`,
			`{{input . ${part} . x}}`,
			`{{input["${part}"]}}`,
			`{{input['${part}'].x}}`,
			`{{input.a.${part}}}`,
			`{{input.list.${part}}}`,
			`{{input.list[0].${part}}}`,
			`{{input["${toEscapes(part)}"]}}`,
			`{{input["${part.slice(0, 3)}\\u${hex(part[3] as string)}${part.slice(4)}"]}}`,
			`{{nodes.${part}}}`,
			`{{nodes["${part}"]}}`,
			`{{nodes.input.${part}}}`,
			`{{input.${part} | default(1)}}`,
			`{{input | ${part}}}`,
		]),
		...INHERITED.flatMap((part) => [
			`{{${part}}}`,
			`{{input.${part}}}`,
			`{{input["${part}"]}}`,
			`{{input.a.${part}}}`,
			`{{input.list.${part}}}`,
			`{{input | ${part}}}`,
		]),
		'{{constructor.constructor("return process")()}}',
		'{{input.constructor.constructor("return process")()}}',
		'{{input["constructor"]["constructor"]("return this")()}}',
		"{{input.\\u005f_proto__}}",
		"{{input[`__proto__`]}}",
		"{{input['__pro' + 'to__']}}",
		"{{input['__pro'|'to__']}}",
		"{{input[['__proto__']]}}",
		"{{input?.constructor}}",
		"{{(input).constructor}}",
		"{{this}}",
		"{{this.constructor}}",
		"{{globalThis}}",
		"{{process.env}}",
		"{{require('fs')}}",
		"{{input.list.map}}",
		"{{input.list.length}}",
		"{{input.a.length}}",
		"{{input.a[0]}}",
		"{{input.list['0']}}",
		"{{input.list[-1]}}",
		"{{\u0024{7*7}}}",
		"{{=7*7}}",
		"{{#if input}}x{{/if}}",
		"{{> partial}}",
		"{{!-- x --}}",
		"{{{input}}}",
		"{{7*7}}",
		"{{input;process.exit()}}",
		"{{(()=>{})()}}",
		"{{input.a = 1}}",
		"{{new Date}}",
		"{{import('fs')}}",
		"{{credential.x}}",
		"{{credential}}",
		"{{credential['x']}}",
		"{{\u200binput}}",
		"{{input.\uff3f\uff3fproto\uff3f\uff3f}}",
	];
	for (const spelling of spellings) test(spelling, () => assertRefused(text(spelling)));
});

describe("no expression can reach beyond the data:", () => {
	const spellings = [
		...REFUSED.flatMap((part) => [
			part,
			`${part}.x`,
			`input.${part}`,
			`input.${part}.x`,
			`input["${part}"]`,
			`input['${part}']['x']`,
			`input["${toEscapes(part)}"]`,
			`input["\\x${hex(part[0] as string).slice(2)}${part.slice(1)}"]`,
			`input["${part.slice(0, 4)}" + "${part.slice(4)}"]`,
			`input[["${part}"][0]]`,
			`input[{"k": "${part}"}.k]`,
			`input[("${part.slice(0, 2)}" + "${part.slice(2)}").trim()]`,
			`input["X${part}".substring(1)]`,
			`input["${part.toUpperCase()}".lower()]`,
			`["${part}"].map(k, input[k])`,
			`input.filter(k, k == "${part}").map(k, input[k])`,
			`input.list.${part}`,
			`input.a.${part}`,
			`[].${part}`,
			`"".${part}`,
			`timestamp(0).${part}`,
			`{"${part}": 1}`,
			`{"${part.slice(0, 2)}" + "${part.slice(2)}": 1}`,
			`nodes.${part}`,
			`nodes["${part}"]`,
			`has(input.${part})`,
			`has(input["${part}"])`,
			`has(input["${part.slice(0, 2)}" + "${part.slice(2)}"])`,
			`input.${part}()`,
			`${part}("return this")`,
			`input.list.map(${part}, 1)`,
		]),
		...INHERITED.flatMap((part) => [
			part,
			`input.${part}`,
			`input["${part}"]`,
			`input.${part}()`,
			`${part}(input)`,
		]),
		'input.constructor.constructor("return process")()',
		"timestamp(0).ms",
		"duration('1s').ms",
		"[1].length",
		"'abc'[0]",
		"'abc'.length",
		"input.list.map",
		"input.a.matches('(a+)+$')",
		"matches(input.a, 'x')",
		"cel.bind(x, input, x.constructor)",
		"optional.of(input)",
		"google.protobuf.Timestamp{}",
		"process.env",
		"globalThis",
		"this",
		"credential.x",
		"credential['x'] == 's3cret'",
		"bytes('x').json()",
	];
	for (const spelling of spellings) test(spelling, () => assertRefused(cel(spelling)));
});

test("an accessor or a function in the data is never called through inheritance", () => {
	let called = false;
	class Trap {
		get secret() {
			called = true;
			return 1;
		}
	}
	const data = { input: new Trap() as unknown as Json };
	catchFailure(() => evaluateText("{{input.secret}}", data));
	catchFailure(() => evaluateCel("input.secret == 1", data));
	assert.equal(called, false);
});

test("a key from data never writes to a prototype", () => {
	catchFailure(() => evaluateCel("{input.k: {'polluted': 1}}", { input: { k: "__proto__" } }));
	assert.equal("polluted" in {}, false);
});

test("an error message does not contain the data of an expression", () => {
	const data = { input: { token: "s3cret-token", n: 1, list: ["s3cret-token"] } };
	for (const expression of [
		"input.token > 1",
		"input.token + 1",
		"int(input.token)",
		"bool(input.token)",
		"timestamp(input.token)",
		"duration(input.token)",
		"input[input.token]",
		"input.list[input.token]",
		"input.token && true",
		"input.n.contains(input.token)",
		"input.list.map(x, x.y)",
	])
		assert.doesNotMatch(
			catchFailure(() => evaluateCel(expression, data)),
			/s3cret/,
		);
});

function hex(character: string): string {
	return character.charCodeAt(0).toString(16).padStart(4, "0");
}

function toEscapes(part: string): string {
	return [...part].map((character) => `\\u${hex(character)}`).join("");
}
