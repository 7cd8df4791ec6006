import { type Json, MAX_JSON_DEPTH } from "@tripline/contract/json";
import {
	type Alias,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	type Node,
	type Pair,
	Scalar,
	type YAMLMap,
} from "yaml";
import { type Hint, type Path, quoteText, type Report, type Spot } from "../diagnostics.ts";
import { isObject } from "../fields.ts";
import { reportCut, reportGlued } from "./cut.ts";
import { describeTemplate, suggestQuotesAt } from "./mistakes.ts";
import { type Anchors, isMergeKey, toKeyName } from "./places.ts";
import { findOpen, type Marks } from "./tokens.ts";

/** Maximum size of the document with its aliases expanded. */
const MAX_EXPANDED_LENGTH = 4 * 1024 * 1024;

const UNITS_PER_MERGED_KEY = 8;

/** Unquoted templates that are reported, one for each line. */
const MAX_TEMPLATES = 20;

export const FAILED = Symbol("failed");

interface Anchor {
	readonly node: Node;
	readonly value: Json;
	readonly size: number;
}

/** Converts the parsed document to JSON and measures its size with aliases expanded. */
export class Reading {
	readonly #report: Report;
	readonly #text: string;
	readonly #marks: Marks;
	readonly #targets: Anchors;
	readonly #anchors = new Map<string, Anchor>();
	#size = 0;
	/** End of the line whose unquoted templates were reported. */
	#reportedEnd = 0;
	#templates = 0;

	/** `targets` is filled with the node that each merged alias refers to. */
	constructor(report: Report, text: string, marks: Marks, targets: Anchors) {
		this.#report = report;
		this.#text = text;
		this.#marks = marks;
		this.#targets = targets;
	}

	value(node: unknown, path: Path): Json | typeof FAILED {
		if (path.length > MAX_JSON_DEPTH) return this.#fail("bad_yaml", "it nests too deeply", { path });
		if (isAlias(node)) return this.#alias(node, path);
		const before = this.#size;
		const value = this.#content(node, path);
		const anchor = (node as Node | null)?.anchor;
		if (anchor !== undefined && value !== FAILED) {
			this.#anchors.set(anchor, { node: node as Node, value, size: this.#size - before });
		}
		return value;
	}

	#content(node: unknown, path: Path): Json | typeof FAILED {
		this.#size += 1;
		if (isMap(node)) return this.#map(node, path);
		if (isSeq(node)) {
			const list = node.items.map((item, index) => this.value(item, [...path, index]));
			return list.includes(FAILED) ? FAILED : (list as Json[]);
		}
		return isScalar(node) ? this.#scalar(node, path) : null;
	}

	#scalar(node: Scalar, path: Path): Json | typeof FAILED {
		const { value } = node;
		if (typeof value === "string") this.#size += value.length;
		if (typeof value === "number" && !Number.isFinite(value)) {
			return this.#fail("bad_yaml", "must be a finite number", { path });
		}
		if (node.type === Scalar.PLAIN && node.comment) reportCut(node, path, this.#text, this.#report);
		return value as Json;
	}

	#map(map: YAMLMap, path: Path): Json | typeof FAILED {
		const entries = new Map<string, Json>();
		const merged = new Set<string>();
		let failed = false;
		for (const pair of map.items) {
			const key = toKeyName(pair.key);
			if (key === undefined) {
				this.#refuseKey(map, path);
				failed = true;
				continue;
			}
			const below = [...path, key];
			const value = this.value(pair.value, below);
			failed ||= value === FAILED;
			if (value === FAILED) continue;
			if (isMergeKey(pair.key) && this.#merge(pair, value, entries, merged)) continue;
			if (pair.value === null) reportGlued(pair.key, key, below, this.#report);
			if (entries.has(key) && !merged.delete(key)) this.#duplicate(key, below, pair.key);
			else entries.set(key, value);
		}
		return failed ? FAILED : Object.fromEntries(entries);
	}

	/**
	 * Adds the keys of a merged map, or of each map of a list, that are not set yet. False if the value is anything else,
	 * which makes `<<` a key like any other.
	 */
	#merge({ value: node }: Pair, value: Json, entries: Map<string, Json>, merged: Set<string>): boolean {
		const maps = Array.isArray(value) ? value : [value];
		if (maps.length === 0 || !maps.every(isObject)) return false;
		const nodes = Array.isArray(value) && isSeq(node) ? node.items : [node];
		for (const each of nodes) {
			const target = isAlias(each) ? this.#anchors.get(each.source)?.node : undefined;
			if (target !== undefined) this.#targets.set(each as Alias, target);
		}
		for (const map of maps as readonly Readonly<Record<string, Json>>[]) {
			for (const [key, value] of Object.entries(map)) {
				this.#report.meter.spend(UNITS_PER_MERGED_KEY);
				if (entries.has(key)) continue;
				entries.set(key, value);
				merged.add(key);
			}
		}
		return true;
	}

	/** The most common key that is not text is a template without quotes. */
	#refuseKey(map: YAMLMap, path: Path): void {
		const start = map.range?.[0] ?? 0;
		if (!this.#text.startsWith("{{", start)) {
			this.#fail("bad_yaml", "a key must be text", { path, sourceOffset: start });
			return;
		}
		if (start < this.#reportedEnd || ++this.#templates > MAX_TEMPLATES) return;
		const end = this.#text.indexOf("\n", start);
		this.#reportedEnd = end === -1 ? this.#text.length : end;
		this.#report.meter.spend(this.#marks.brackets.length);
		const open = findOpen(this.#text, this.#marks, start);
		const { message, hint } = describeTemplate(this.#text, open, start);
		this.#report.error("bad_yaml", message, { path, sourceOffset: start }, hint);
	}

	#duplicate(key: string, path: Path, node: unknown): void {
		const isNode = path.length === 2 && path[0] === "config";
		const message = `duplicate ${isNode ? "node" : "key"} ${quoteText(key)}`;
		this.#report.error(isNode ? "duplicate_node" : "duplicate_key", message, {
			path,
			sourceOffset: (node as Node | null)?.range?.[0] ?? 0,
		});
	}

	#alias(alias: Alias, path: Path): Json | typeof FAILED {
		const anchor = this.#anchors.get(alias.source);
		if (anchor === undefined) {
			const sourceOffset = alias.range?.[0] ?? 0;
			const message = `*${alias.source} refers to no anchor before it`;
			const hint = () => {
				this.#report.meter.spend(this.#marks.brackets.length);
				return suggestQuotesAt(this.#text, this.#marks, sourceOffset);
			};
			return this.#fail("bad_yaml", message, { path, sourceOffset }, hint);
		}
		this.#size += anchor.size;
		if (this.#size > MAX_EXPANDED_LENGTH) {
			return this.#fail("too_large", "the document is too long with its aliases expanded", { path });
		}
		return anchor.value;
	}

	#fail(code: string, message: string, spot: Spot, hint?: Hint): typeof FAILED {
		this.#report.error(code, message, spot, hint);
		return FAILED;
	}
}
