import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MAX_DOCUMENT_UNITS, Meter } from "@tripline/engine/meter";
import fc from "fast-check";
import { findHangReason as hangsWithin } from "../../src/domain/hanging-patterns.ts";

const findReason = (source: string, flags = "") => hangsWithin(source, flags, new Meter(MAX_DOCUMENT_UNITS));

const HANGING = [
	"(a+)+$",
	"(a*)*b",
	"(?:a+)*b",
	"(a|a)*b",
	"(a|aa)*c",
	"(\\w|\\d)+$",
	"([a-z]+)*!",
	"(.*)*x",
	"(?<name>x+x+)+y",
	"(\\d+)+,",
	"(a|a?)+b",
	"(x\\d+\\d+)*y",
	"((a+)b?)*c",
	"(?:(?:a+))+b",
	"(a+){20,}b",
	"(a+){2,100}b",
	"^(([a-z])+.)+[A-Z]([a-z])+$",
	"((a|b)\\2?)*c",
	".*.*.*=",
	"(.*)(.*)(.*)(.*)=",
	"\\s*\\s*\\s*$",
	"([^,]*,?)*$",
	"(?:\\u0061+)+",
	"(?:[\\x61-\\x7a]+)+",
	"(\\p{L}+)+",
	"(é|[^è])*x",
	"(?=(a+)+b)c",
];

const HARMLESS = [
	"^[a-z0-9]+$",
	"^\\d{4}-\\d{2}-\\d{2}$",
	"^(?:\\d{1,3}\\.){3}\\d{1,3}$",
	"^\\w+(\\.\\w+)*$",
	"^(\\d+)(,\\d+)*$",
	'"(?:\\\\.|[^"\\\\])*"',
	"(?:foo|bar)+",
	"\\s*=\\s*",
	"<[^>]+>",
	"^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$",
	"(?:[a-z]+-)*[a-z]+",
	"[*+(){}|]+",
	"\\(a\\+\\)\\+",
	"",
	"a{2}b{3,}",
	"[\\]^-]*",
	"^(?!x)y+",
	"\\bword\\b",
	'^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:]*))*):',
	"^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$",
	"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)+",
	"(a?)+b",
	"(a|ab)*c",
];

describe("patterns that can hang", () => {
	test("are found", () => {
		assert.deepEqual(
			HANGING.filter((source) => findReason(source) === null),
			[],
		);
	});

	test("are distinguished from patterns that cannot", () => {
		assert.deepEqual(
			HARMLESS.map((source) => [source, findReason(source)]).filter(([, reason]) => reason !== null),
			[],
		);
	});

	test("depend on whether case is ignored", () => {
		assert.equal(findReason("(a|A)*b"), null);
		assert.notEqual(findReason("(a|A)*b", "i"), null);
	});

	test("are checked quickly, even if the text is no valid pattern", () => {
		for (const text of [
			"(".repeat(60_000),
			"[".repeat(60_000),
			"(a".repeat(30_000),
			"a+".repeat(30_000),
			"\\",
		])
			findReason(text);
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(..."()[]{}|*+?\\^$.,-ab19kpux<>:=!") }), (text) => {
				findReason(text);
				findReason(text, "i");
			}),
			{ numRuns: 500 },
		);
	});
});
