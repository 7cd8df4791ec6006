import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { listFiles } from "../../../test/examples.ts";
import { startWorld } from "./world.ts";

const { cli } = await startWorld();

const greet = `name: greet
description: Greets
version: "1"
options:
  input_schema: { type: object, properties: { name: { type: string } }, required: [name] }
triplets: [input >> then >> hello]
config:
  hello:
    component: set
    values: { text: "Hello {{input.name}}", list: [{ n: 1, of: 2 }, 3], usage: { total_tokens: 10, cost: 0.25 } }
`;

/** Its runs return 1, 2, 3 and so on. */
const counting = `name: counting
description: Counts its runs
version: "1"
triplets: [input >> then >> count]
config:
  count: { component: state_increment, name: "runs of {{input.key}}" }
result: "{{count.value}}"
`;

const judge = `name: judge
description: Says yes to Ada
version: "1"
triplets: [input >> then >> verdict]
config:
  verdict:
    component: compute
    values:
      pass: input.output.text.contains("Ada") && input.input.name == "Ada"
      reason: '"not Ada: " + input.question'
`;

const waiting = `name: waiting
description: Waits
version: "1"
triplets: [input >> then >> pause]
config:
  pause: { component: wait, for: 1 day }
`;

const broken = `name: broken
description: Fails
version: "1"
triplets: [input >> then >> stop]
config:
  stop: { component: fail, message: no stock }
`;

const odd = `name: odd
description: Returns no verdict
version: "1"
triplets: [input >> then >> verdict]
config:
  verdict: { component: set, values: { ok: true } }
`;

interface Evaluated {
	passed: number;
	failed: number;
	not_run: number;
	tokens: number | null;
	cost: number | null;
	cases: {
		name: string;
		result: string;
		passes: number;
		attempts: {
			execution_id: string | null;
			failures: { expectation: string; message: string }[];
			output?: unknown;
		}[];
	}[];
}

before(async () => {
	const texts = { greet, counting, judge, waiting, broken, odd };
	const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}.yaml`, text]));
	const { code, err, out } = await cli(["push", "."], { files });
	assert.equal(code, 0, err + out);
});

const evaluate = async (cases: unknown, workflow = "greet", flags: readonly string[] = []) => {
	const content = typeof cases === "string" ? cases : JSON.stringify(cases);
	const ended = await cli(["eval", workflow, "cases.yaml", "--json", ...flags], {
		files: { "cases.yaml": content },
	});
	return { ...ended, evaluated: ended.json as Evaluated };
};

/** The failures of the only run of the only case. */
const findFailures = async (expect: unknown, workflow = "greet") => {
	const { evaluated, code } = await evaluate(
		{ cases: [{ name: "one", input: { name: "Ada" }, expect }] },
		workflow,
	);
	const failures = evaluated.cases[0]?.attempts[0]?.failures ?? [];
	assert.equal(code, failures.length === 0 ? 0 : 1);
	return failures.map(({ expectation, message }) => `${expectation}: ${message}`);
};

const GOT = '{"text":"Hello Ada","list":[{"n":1,"of":2},3],"usage":{"total_tokens":10,"cost":0.25}}';

describe("an expectation", () => {
	const output = JSON.parse(GOT);
	const holding: [string, unknown][] = [
		["nothing but a run that succeeds", {}],
		["equals, in any order of fields", { equals: Object.fromEntries(Object.entries(output).reverse()) }],
		["contains a text", { contains: "lo Ad" }],
		["contains fields", { contains: { text: "Hello Ada", usage: { cost: 0.25 } } }],
		["contains elements of a list, in part", { contains: { list: [3, { of: 2 }] } }],
		["schema", { schema: { type: "object", required: ["text"] } }],
		["cel over input and output", { cel: "output.text == 'Hello ' + input.name && size(output.list) == 2" }],
		["judge", { judge: { workflow: "judge", question: "Who?" } }],
	];
	for (const [title, expect] of holding)
		test(`holds: ${title}`, async () => assert.deepEqual(await findFailures(expect), []));

	const failing: [string, unknown, string][] = [
		["equals", { equals: { text: "Hi" } }, `equals: expected {"text":"Hi"}, got ${GOT}`],
		["contains", { contains: "Bob" }, `contains: no text contains "Bob"; got ${GOT}`],
		[
			"a field with another text",
			{ contains: { text: "Hello" } },
			`contains: output.text is not "Hello"; got ${GOT}`,
		],
		["a missing field", { contains: { sum: 1 } }, `contains: output has no "sum"; got ${GOT}`],
		["a missing element", { contains: { list: [4] } }, `contains: output.list has no element 4; got ${GOT}`],
		[
			"schema",
			{ schema: { type: "object", properties: { text: { type: "number" } } } },
			`schema: text must be a number, but is text; got ${GOT}`,
		],
		["cel", { cel: "size(output.list) > 2" }, `cel: size(output.list) > 2: is false; got ${GOT}`],
		["cel without a yes or no", { cel: "output.text" }, `cel: output.text: is "Hello Ada"; got ${GOT}`],
		[
			"cel that reads what is not there",
			{ cel: "output.sum > 2" },
			`cel: output.sum > 2: "output.sum" is missing: "output" has no "sum"; it has text, list, usage; got ${GOT}`,
		],
		[
			"a judge without a verdict",
			{ judge: { workflow: "odd", question: "Who?" } },
			'judge: odd must return { pass: true or false, reason: text }, but returned {"ok":true}',
		],
	];
	for (const [title, expect, message] of failing)
		test(`fails: ${title}`, async () => assert.deepEqual(await findFailures(expect), [message]));

	test("all that is given must hold, and a judge is asked only then", async () => {
		const failures = await findFailures({
			contains: "Bob",
			cel: "false",
			judge: { workflow: "odd", question: "?" },
		});
		assert.deepEqual(
			failures.map((each) => each.slice(0, 4)),
			["cont", "cel:"],
		);
	});
});

test("eval prints the cases in a table, and what came instead", async () => {
	const cases = `
judge: { workflow: judge }
cases:
  - { name: ada, input: { name: Ada }, expect: { judge: "Is it Ada?" } }
  - { name: bob, input: { name: Bob }, expect: { judge: "Is it Ada?" } }
  - { name: nobody, expect: { contains: Hello } }
`;
	const { code, out, err } = await cli(["eval", "greet", "c.yaml", "--concurrency", "1"], {
		files: { "c.yaml": cases },
	});
	assert.equal(code, 1);
	assert.match(
		out,
		/^CASE +RESULT +PASSED +MS +TOKENS +COST\nada +passed +1\/1 +\d+ +10 +0\.25\nbob +failed +0\/1 +\d+ +10 +0\.25\nnobody +failed +0\/1 +\d+\n/,
	);
	assert.match(
		out,
		/\nbob\n {2}judge: Is it Ada\? No: not Ada: Is it Ada\?; got .*Hello Bob.*\n {4}tripline executions show /,
	);
	assert.match(out, /\nnobody\n {2}run: the run was refused: .*name is required\n/);
	assert.match(out, /\n1 passed, 2 failed, \d+\.\d s, 20 tokens, cost 0\.5\n$/);
	assert.match(err, /^1\/3 ada: passed\n2\/3 bob: failed\n3\/3 nobody: failed\n$/);
});

test("a case passes if enough of its runs do", async () => {
	const build = (key: string, min_pass?: number) => ({
		cases: [{ name: key, input: { key }, expect: { cel: "output > 2" }, repeats: 5, min_pass }],
	});
	const enough = await evaluate(build("enough", 3), "counting");
	assert.deepEqual([enough.code, enough.evaluated.cases[0]?.passes], [0, 3]);
	const few = await evaluate(build("few", 4), "counting");
	assert.deepEqual([few.code, few.evaluated.cases[0]?.result], [1, "failed"]);
	const failed = few.evaluated.cases[0]?.attempts.filter(({ failures }) => failures.length > 0) ?? [];
	assert.deepEqual(failed.map(({ output }) => output).toSorted(), [1, 2]);
	const all = await cli(["eval", "counting", "c.json"], {
		files: { "c.json": JSON.stringify(build("all")) },
	});
	assert.equal(all.code, 1);
	assert.match(all.out, /\nall: 3 of 5 passed, 5 must\n {2}cel: output > 2: is false; got [12]\n/);
});

test("a run that fails or waits does not pass", async () => {
	assert.deepEqual(await findFailures({}, "broken"), ["run: the run failed: stop: no stock"]);
	const { evaluated } = await evaluate({ cases: [{ name: "one" }] }, "waiting");
	const attempt = evaluated.cases[0]?.attempts[0];
	assert.match(attempt?.failures[0]?.message ?? "", /^the run waits/);
	const shown = await cli(["executions", "show", attempt?.execution_id ?? "", "--json"]);
	assert.notEqual((shown.json as { status: string }).status, "accepted", "it is cancelled");
});

test("a run that takes too long does not pass", async () => {
	const { evaluated, code } = await evaluate({ cases: [{ name: "one" }] }, "greet", ["--timeout", "1s"]);
	assert.equal(code, 1, "refused by its input schema");
	assert.equal(evaluated.failed, 1);
	const slow = await cli(["eval", "greet", "c.yaml", "--json", "--timeout", "1s"], {
		files: { "c.yaml": "cases: [{ name: one }]" },
		fetch: (request, init) =>
			request.method !== "POST"
				? fetch(request, init)
				: new Promise((_, reject) =>
						init?.signal.addEventListener("abort", () => reject(init.signal.reason as Error)),
					),
	});
	const [one] = (slow.json as Evaluated).cases;
	assert.equal(one?.attempts[0]?.failures[0]?.message, "the run has not ended within 1 s");
});

test("no more runs at the same time than --concurrency says", async () => {
	let running = 0;
	let most = 0;
	const cases = { cases: [{ name: "one", input: { name: "Ada" }, repeats: 9 }] };
	const { code } = await cli(["eval", "greet", "c.json", "--concurrency", "3"], {
		files: { "c.json": JSON.stringify(cases) },
		async fetch(request, init) {
			most = Math.max(most, ++running);
			try {
				return await fetch(request, init);
			} finally {
				running--;
			}
		},
	});
	assert.equal(code, 0);
	assert.equal(most, 3);
});

test("after Ctrl-C nothing is started, and what has ended is printed", async () => {
	const interruption = new AbortController();
	let started = 0;
	const { code, json } = await cli(["eval", "greet", "c.json", "--json", "--concurrency", "1"], {
		files: {
			"c.json": JSON.stringify({
				cases: ["a", "b", "c"].map((name) => ({ name, input: { name } })),
			}),
		},
		interrupt: interruption.signal,
		async fetch(request, init) {
			if (request.method === "POST" && ++started === 2) interruption.abort();
			return fetch(request, init);
		},
	});
	assert.equal(code, 130);
	assert.equal(started, 2);
	const { passed, not_run } = json as Evaluated;
	assert.deepEqual([passed, not_run], [1, 2]);
});

describe("a wrong file is reported before anything runs", () => {
	const texts: [string, string, RegExp][] = [
		[
			"an unknown key",
			"cases:\n  - name: a\n    inputs: {}\n",
			/c\.yaml:3:5: .*unknown field "inputs"\n {2}Did you mean "input"\?/,
		],
		[
			"an unknown expectation",
			"cases:\n  - { name: a, expect: { equal: 1 } }\n",
			/unknown field "equal"\n {2}Did you mean "equals"\?/,
		],
		["no cases", "cases: []", /cases must be at least 1 elements? long/],
		["a case without a name", "cases: [{ input: {} }]", /name is required/],
		["two cases of one name", "cases: [{ name: a }, { name: a }]", /two cases are called "a"/],
		[
			"more passes than runs",
			"cases: [{ name: a, repeats: 2, min_pass: 3 }]",
			/min_pass must be at most repeats/,
		],
		["too many repeats", "cases: [{ name: a, repeats: 101 }]", /repeats must be at most 100/],
		[
			"a wrong expression",
			"cases: [{ name: a, expect: { cel: 'outputs.x > 1' } }]",
			/there is no "outputs" here\n {2}Did you mean "output"\?/,
		],
		[
			"a wrong schema",
			"cases: [{ name: a, expect: { schema: { type: txt } } }]",
			/cases\.0\.expect\.schema: /,
		],
		[
			"a question without a judge",
			"cases: [{ name: a, expect: { judge: Is it? } }]",
			/no workflow answers this question\n {2}Add judge/,
		],
		["no YAML", "cases: [", /c\.yaml:1:/],
		["a list", "- name: a", /must be an object/],
	];
	for (const [title, text, message] of texts)
		test(title, async () => {
			const { code, err } = await cli(["eval", "greet", "c.yaml"], {
				files: { "c.yaml": text },
				fetch: () => Promise.reject(new Error("called")),
			});
			assert.match(err, message);
			assert.equal(code, 2);
		});
});

test("eval refuses wrong usage with exit code 2", async () => {
	const files = {
		"c.yaml": "cases: [{ name: a }]",
		"j.yaml": "judge: { workflow: jugde }\ncases: [{ name: a, expect: { judge: x } }]",
	};
	const calls: [string[], RegExp][] = [
		[["eval", "greet", "none.yaml"], /there is no file none\.yaml/],
		[["eval", "gret", "c.yaml"], /there is no workflow "gret"\n {2}did you mean: tripline eval greet/],
		[["eval", "greet", "j.yaml"], /there is no workflow "jugde"/],
		[["eval", "greet", "c.yaml", "--concurrency", "0"], /--concurrency must be 1 to 32/],
		[["eval", "greet", "c.yaml", "--timeout", "soon"], /"soon" is not a duration/],
		[["eval", "greet", "c.yaml", "--timeout", "999d"], /--timeout must be at most 24h/],
		[["eval", "greet"], /<cases> is missing/],
	];
	for (const [argv, message] of calls) {
		const { code, err } = await cli(argv, { files });
		assert.match(err, message);
		assert.equal(code, 2, argv.join(" "));
	}
});

test("eval prints no control characters of an output, and no token", async () => {
	const token = "tok_0123456789abcdef";
	const { out, err, code } = await cli(["eval", "greet", "c.json"], {
		env: { SERVICE_ACCESS_TOKEN: token },
		files: {
			"c.json": JSON.stringify({
				cases: [{ name: "a\u001b[2J", input: { name: "\u001b[31m\u202eAda" }, expect: { equals: 1 } }],
			}),
		},
	});
	assert.equal(code, 1);
	for (const hidden of ["\u001b", "\u202e", token]) assert.ok(!(out + err).includes(hidden), hidden);
	const gone = await cli(["eval", "greet", "c.yaml"], {
		env: { SERVICE_BASE_URL: "http://127.0.0.1:1", SERVICE_ACCESS_TOKEN: token },
		files: { "c.yaml": "cases: [{ name: a }]" },
	});
	assert.equal(gone.code, 1);
	assert.match(gone.err, /does not answer/);
	assert.ok(!gone.err.includes(token));
});

test("the guide's example prints what the guide says", async () => {
	const guide = readFileSync(new URL("../../../docs/guides/evals.md", import.meta.url), "utf8");
	const files = Object.fromEntries(listFiles(guide));
	const pushed = await cli(["push", "delivery.yaml", "judge.yaml"], { files });
	assert.equal(pushed.code, 0, pushed.err + pushed.out);
	const { code, out } = await cli(["eval", "delivery", "delivery.cases.yaml"], { files });
	assert.equal(code, 1);
	const [, printed = ""] = /^```text\n([\s\S]*?)^```$/m.exec(guide) ?? [];
	const withoutTimes = (text: string) =>
		text.replaceAll(/(\d\/\d +)\d+$/gm, "$1#").replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+\.\d s/g, "#");
	assert.equal(withoutTimes(out), withoutTimes(printed));
	const { json } = await cli(["eval", "delivery", "polite.cases.yaml", "--json"], { files });
	const [failure] = (json as Evaluated).cases[0]?.attempts[0]?.failures ?? [];
	assert.match(failure?.message ?? "", /^judge: the run .*openai/, "the key of the model is missing");
});
