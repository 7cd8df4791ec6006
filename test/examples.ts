import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Outside } from "./conformance/outside.ts";
import { Exchanges } from "./exchanges.ts";

/** Where a page's examples are run. */
interface Addresses {
	readonly publicUrl: string;
	readonly storeUrl: string;
	/** The services that the page's workflows call. */
	readonly outside: Outside;
}

interface Block {
	readonly info: string;
	readonly text: string;
	readonly line: number;
}

/** How long an answer marked `soon` may take. */
const SOON_MS = 15_000;

/** Whether a page has something to run. */
export const hasExamples = (markdown: string): boolean =>
	listBlocks(markdown).some(({ info }) => /^sh run\b|^(?:yaml|json) workflow$/.test(info));

/**
 * Runs a page from top to bottom. The words after the language of a block say what it is:
 *
 * - `sh run`: a script whose calls must succeed; with a status (`sh run 401`) the last one must end with it.
 * - `json answer`: the last response contains at least this; `json answer soon`: within a few seconds of retrying.
 * - `text answer`: the output contains these lines.
 * - `yaml orders.yaml`: a file that scripts can read.
 * - `yaml workflow`: a workflow. `json input` is its trigger context, `json data` its result, `text error` the error of
 *   the run, `json diagnostics` those of the compiler.
 * - `http outside`: a request that the following blocks make to a service, and its response; see `Exchanges`.
 * - `sh start`: how the service was started, see `settingsIn`.
 */
export async function runExamples(markdown: string, service: Addresses): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), "tripline-examples-"));
	const shell = new Shell(service, folder);
	const workflows = new Workflows(service);
	const exchanges = new Exchanges(service.outside);
	try {
		for (const block of listBlocks(markdown)) {
			try {
				if (block.info === "http outside") exchanges.add(block.text, block.line);
				else await run(block, shell, workflows, folder);
				exchanges.check();
			} catch (error) {
				throw new Error(`line ${block.line}: ${(error as Error).message}`, { cause: error });
			}
		}
		await workflows.settle();
		exchanges.settle();
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const TOOLS = ["curl", "jq", "openssl"];

/** Why a page cannot run on this machine: a program that its scripts use is missing. False if it can run. */
export function whyNotHere(markdown: string): string | false {
	const scripts = listBlocks(markdown)
		.filter(({ info }) => /^sh run\b/.test(info))
		.map(({ text }) => text);
	const missing = TOOLS.filter(
		(tool) => scripts.some((script) => new RegExp(`\\b${tool} `).test(script)) && !isHere(tool),
	);
	return missing.length > 0 && `install ${missing.join(" and ")} to run it`;
}

const isHere = (tool: string): boolean =>
	(process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, tool)));

/** The settings that a page starts the service with: those before `npm start` in its block `sh start`. */
export function readSettings(markdown: string): Record<string, string> {
	const text = listBlocks(markdown).find(({ info }) => info === "sh start")?.text ?? "";
	return Object.fromEntries(
		[...text.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
	);
}

/** The files that a page shows, by name. */
export const listFiles = (markdown: string): ReadonlyMap<string, string> =>
	new Map(
		listBlocks(markdown).flatMap(({ info, text }) => {
			const name = fileName(info);
			return name === undefined ? [] : [[name, text]];
		}),
	);

async function run(block: Block, shell: Shell, workflows: Workflows, folder: string): Promise<void> {
	const { info, text } = block;
	const file = fileName(info);
	if (file !== undefined) writeFileSync(join(folder, file), text);
	else if (/^sh run( \d+)?$/.test(info)) await shell.run(text, info.slice("sh run ".length));
	else if (info === "json answer") shell.holds(JSON.parse(text));
	else if (info === "json answer soon") await shell.holdsSoon(JSON.parse(text));
	else if (info === "text answer") shell.prints(text);
	else if (info === "yaml workflow") await workflows.begin("application/yaml", text);
	else if (info === "json workflow") await workflows.begin("application/json", text);
	else if (info === "json input") workflows.input(text);
	else if (info === "json data") assert.deepEqual((await workflows.result()).data, JSON.parse(text));
	else if (info === "text error") assert.equal((await workflows.result()).error, text.trimEnd());
	else if (info === "json diagnostics") workflows.diagnoses(JSON.parse(text));
	else if (info.includes(" ") && info !== "sh start")
		assert.fail(`nothing runs a block of ${JSON.stringify(info)}`);
}

class Shell {
	readonly #service: Addresses;
	readonly #folder: string;
	#printed = "";
	#again = async () => {};

	constructor(service: Addresses, folder: string) {
		this.#service = service;
		this.#folder = folder;
	}

	async run(script: string, status: string): Promise<void> {
		const text = script
			.replaceAll("http://127.0.0.1:8484", this.#service.publicUrl)
			.replaceAll("http://127.0.0.1:8485", this.#service.storeUrl)
			.replaceAll("curl ", "curl --fail-with-body ");
		this.#again = async () => {
			const ended = await runBash(text, this.#folder);
			this.#printed = ended.stdout;
			if (status === "") assert.equal(ended.code, 0, `${ended.stderr}${ended.stdout}`);
			else assert.match(ended.stderr, new RegExp(`returned error: ${status}`), ended.stdout);
		};
		await this.#again();
	}

	holds(expected: unknown): void {
		const last = this.#printed.slice(this.#printed.lastIndexOf('}{"') + 1);
		assertHolds(JSON.parse(last), expected);
	}

	async holdsSoon(expected: unknown): Promise<void> {
		const until = Date.now() + SOON_MS;
		for (;;) {
			try {
				return this.holds(expected);
			} catch (error) {
				if (Date.now() > until) throw error;
			}
			await new Promise((resolve) => setTimeout(resolve, 100));
			await this.#again();
		}
	}

	prints(expected: string): void {
		const lines = this.#printed.split(/\r?\n/).map(comparable);
		for (const line of expected.split("\n")) {
			const wanted = comparable(line);
			if (wanted !== "") assert.ok(lines.includes(wanted), `${wanted}\nis not in\n${this.#printed}`);
		}
	}
}

interface SavedAnswer {
	readonly webhook_url?: string;
	readonly error?: string;
	readonly diagnostics?: readonly unknown[];
}

interface RunAnswer {
	readonly data: unknown;
	readonly error?: string;
}

/** The current workflow of a page, checked through the service. */
class Workflows {
	readonly #service: Addresses;
	#answer: SavedAnswer = {};
	#input = "{}";
	/** Set while the page has shown no outcome of the workflow; it must at least compile then. */
	#isOpen = false;

	constructor(service: Addresses) {
		this.#service = service;
	}

	async begin(type: string, text: string): Promise<void> {
		await this.settle();
		const isNamed = /^(?:name:|\s*\{\s*"name")/m.test(text);
		const url = `${this.#service.publicUrl}/${isNamed ? "workflows" : "webhooks"}`;
		const headers = { "content-type": type, "x-service-api-key": "default" };
		const response = await fetch(url, { method: "POST", headers, body: text });
		this.#answer = (await response.json()) as SavedAnswer;
		this.#input = "{}";
		this.#isOpen = true;
	}

	input(text: string): void {
		this.#input = text;
	}

	async result(): Promise<RunAnswer> {
		this.#isOpen = false;
		const { webhook_url } = this.#answer;
		assert.ok(webhook_url !== undefined, JSON.stringify(this.#answer));
		const response = await fetch(webhook_url, { method: "POST", body: this.#input });
		return (await response.json()) as RunAnswer;
	}

	diagnoses(expected: readonly unknown[]): void {
		this.#isOpen = false;
		const { diagnostics = [] } = this.#answer;
		assert.equal(diagnostics.length, expected.length, JSON.stringify(diagnostics));
		assertHolds(diagnostics, expected, "diagnostics");
	}

	async settle(): Promise<void> {
		if (this.#isOpen) assert.equal(this.#answer.error, undefined, JSON.stringify(this.#answer));
		this.#isOpen = false;
	}
}

/** Asserts that everything in `expected` is in `actual`, which may contain more. */
function assertHolds(actual: unknown, expected: unknown, path = "answer"): void {
	if (typeof expected !== "object" || expected === null) {
		assert.equal(actual, expected, path);
		return;
	}
	assert.ok(typeof actual === "object" && actual !== null, `${path} is ${JSON.stringify(actual)}`);
	if (Array.isArray(expected) && expected.length === 0) assert.deepEqual(actual, [], path);
	for (const [key, value] of Object.entries(expected)) {
		assertHolds((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
	}
}

function runBash(script: string, cwd: string): Promise<{ code: number; stdout: string; stderr: string }> {
	return new Promise((resolve) => {
		execFile("bash", ["-euo", "pipefail", "-c", script], { cwd }, (error, stdout, stderr) => {
			resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
		});
	});
}

/** Header names are case-insensitive. */
const comparable = (line: string): string => line.trim().replace(/^[\w-]+: /, (name) => name.toLowerCase());

const fileName = (info: string): string | undefined => /^\w+ (\S+\.\w+)$/.exec(info)?.[1];

function listBlocks(markdown: string): Block[] {
	return [...markdown.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map((match) => {
		const [, info = "", text = ""] = match;
		return { info, text, line: markdown.slice(0, match.index).split("\n").length };
	});
}
