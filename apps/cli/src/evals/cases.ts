import { resolve } from "node:path";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { Report } from "@tripline/engine/diagnostics";
import { reportFields, toSchemaIssues } from "@tripline/engine/issues";
import { readYaml } from "@tripline/engine/yaml";
import * as z from "zod";
import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";
import { readTextFile } from "../text-file.ts";
import { type Check, compileCel, compileContains, compileEquals, compileSchemaCheck } from "./checks.ts";

const USAGE = 2;
const MAX_CASES = 1_000;
const MAX_REPEATS = 100;
const MAX_RUNS = 10_000;
const MAX_SHOWN = 10;

const AnyValue = z.custom<Json>((value) => value !== undefined);
const AnyObject = z.record(z.string(), AnyValue);
const Text = z.string().min(1);

const Judge = z.strictObject({ workflow: Text, question: Text });

const Case = z
	.strictObject({
		name: Text.max(200),
		input: AnyObject.default({}),
		expect: z
			.strictObject({
				equals: AnyValue.optional(),
				contains: AnyValue.optional(),
				schema: AnyObject.optional(),
				cel: Text.optional(),
				judge: z.union([Text, Judge]).optional(),
			})
			.default({}),
		repeats: z.int().min(1).max(MAX_REPEATS).default(1),
		min_pass: z.int().min(1).optional(),
	})
	.refine(({ repeats, min_pass = 1 }) => min_pass <= repeats, {
		path: ["min_pass"],
		error: "must be at most repeats",
	});

const CaseFile = z.strictObject({
	judge: z.strictObject({ workflow: Text }).optional(),
	cases: z.array(Case).min(1).max(MAX_CASES),
});

/** A question about the output, which a workflow answers. */
export interface JudgeQuestion {
	readonly workflow: string;
	readonly question: string;
}

export interface EvalCase {
	readonly name: string;
	readonly input: JsonObject;
	readonly checks: readonly Check[];
	readonly judge: JudgeQuestion | null;
	readonly repeats: number;
	readonly minPass: number;
}

/** Reads and checks a file with cases; everything that is wrong is reported before anything runs. */
export function readCases(io: Io, path: string): EvalCase[] {
	const text = readTextFile(resolve(io.cwd, path), path, USAGE);
	const report = new Report();
	const { value, locate } = readYaml(text, report);
	const cases = value === undefined ? [] : report.runBounded(() => parseCases(value, report), []);
	const found = report.diagnostics(locate);
	if (found.length === 0) return cases;
	const lines = found.slice(0, MAX_SHOWN).map(({ line, column, path: at, message, hint }) => {
		const place = line === undefined ? path : `${path}:${line}:${column}`;
		return `${place}: ${at === "" ? "" : `${at}: `}${message}${hint === undefined ? "" : `\n  ${hint}`}`;
	});
	const rest = found.length - lines.length;
	if (rest > 0) lines.push(`and ${rest} more`);
	throw new CliProblem(lines.join("\n"), { code: USAGE, hint: "tripline eval --help shows what a file has" });
}

function parseCases(value: Json, report: Report): EvalCase[] {
	const read = CaseFile.safeParse(value);
	if (!read.success) {
		reportFields(toSchemaIssues(CaseFile, value, read.error.issues), (path) => path, report);
		return [];
	}
	const { judge, cases } = read.data;
	const names = new Set<string>();
	for (const [index, { name }] of cases.entries()) {
		if (names.has(name))
			report.error("duplicate_case", `two cases are called ${JSON.stringify(name)}`, {
				path: ["cases", index, "name"],
			});
		names.add(name);
	}
	const runs = cases.reduce((sum, { repeats }) => sum + repeats, 0);
	if (runs > MAX_RUNS)
		report.error("too_many_runs", `the cases have ${runs} runs together, at most ${MAX_RUNS} are possible`, {
			path: ["cases"],
		});
	return cases.map(({ name, input, expect, repeats, min_pass }, index) => ({
		...{ name, input: input as JsonObject, repeats, minPass: min_pass ?? repeats },
		checks: compileChecks(expect, ["cases", index, "expect"], report),
		judge: readJudge(expect.judge, judge?.workflow, ["cases", index, "expect", "judge"], report),
	}));
}

type Expect = z.output<typeof Case>["expect"];

function compileChecks(
	{ equals, contains, schema, cel }: Expect,
	path: readonly (string | number)[],
	report: Report,
): Check[] {
	const fail =
		(key: string) =>
		(message: string, { offset, hint }: { offset?: number; hint?: string | undefined } = {}) =>
			report.error(
				"bad_expectation",
				message,
				{ path: [...path, key], ...(offset !== undefined && { offset }) },
				hint,
			);
	return [
		equals === undefined ? null : compileEquals(equals),
		contains === undefined ? null : compileContains(contains),
		schema === undefined ? null : compileSchemaCheck(schema as JsonObject, fail("schema")),
		cel === undefined ? null : compileCel(cel, report.meter, fail("cel")),
	].filter((check) => check !== null);
}

function readJudge(
	judge: Expect["judge"],
	workflow: string | undefined,
	path: readonly (string | number)[],
	report: Report,
): JudgeQuestion | null {
	if (judge === undefined) return null;
	if (typeof judge !== "string") return judge;
	if (workflow !== undefined) return { workflow, question: judge };
	report.error(
		"no_judge",
		"no workflow answers this question",
		{ path },
		"Add judge: { workflow: <name> } beside cases, or write judge: { workflow: <name>, question: <text> }",
	);
	return null;
}
