import type { Test } from "./selector.ts";

const nth = (step: number, offset: number, isFromEnd: boolean, isOfType: boolean): Test => ({
	kind: "nth",
	step,
	offset,
	isFromEnd,
	isOfType,
});

export const PLAIN: ReadonlyMap<string, readonly Test[]> = new Map<string, readonly Test[]>([
	["first-child", [nth(0, 1, false, false)]],
	["last-child", [nth(0, 1, true, false)]],
	["only-child", [nth(0, 1, false, false), nth(0, 1, true, false)]],
	["first-of-type", [nth(0, 1, false, true)]],
	["last-of-type", [nth(0, 1, true, true)]],
	["only-of-type", [nth(0, 1, false, true), nth(0, 1, true, true)]],
	["root", [{ kind: "root" }]],
	["empty", [{ kind: "empty" }]],
	["scope", [{ kind: "scope" }]],
]);
export const WITH_POSITION: ReadonlyMap<string, { readonly isFromEnd: boolean; readonly isOfType: boolean }> =
	new Map([
		["nth-child", { isFromEnd: false, isOfType: false }],
		["nth-last-child", { isFromEnd: true, isOfType: false }],
		["nth-of-type", { isFromEnd: false, isOfType: true }],
		["nth-last-of-type", { isFromEnd: true, isOfType: true }],
	]);
export const WITH_SELECTORS: ReadonlyMap<string, "is" | "not" | "has"> = new Map([
	["is", "is"],
	["where", "is"],
	["not", "not"],
	["has", "has"],
]);
