import { constants } from "node:os";
import { parseArgs } from "node:util";
import { countPassed, describeMachine, renderJson, renderTable, type Section } from "./report.ts";

interface Given {
	readonly count?: number;
	readonly base?: string;
}

type Suite = (onProgress: (what: string) => void, given: Given) => Promise<Section[]>;

interface SuiteEntry {
	readonly about: string;
	/** The option that it supports. */
	readonly takes?: keyof Given;
	load(): Promise<Suite>;
}

const SUITES: Readonly<Record<string, SuiteEntry>> = {
	before: {
		about: "the plain trigger against a commit before; --base says which (default HEAD~1)",
		takes: "base",
		load: async () => (await import("./before.ts")).beforeSuite,
	},
	chat: {
		about: "how soon a chat answers against a bare proxy, and what idle chats cost",
		load: async () => (await import("./chat.ts")).chatSuite,
	},
	cli: {
		about: "how long the command line takes to start",
		load: async () => (await import("./cli.ts")).cliSuite,
	},
	compile: {
		about: "compiling 100 nodes against a commit before; --base says which (default HEAD~1)",
		takes: "base",
		load: async () => (await import("./compile.ts")).compileSuite,
	},
	components: {
		about: "code, outbound calls, recipes and what they cost at start",
		load: async () => (await import("./components.ts")).componentsSuite,
	},
	console: {
		about: "what the web console loads, and whether it keeps up with its user, in a real browser",
		load: async () => (await import("./console.ts")).consoleSuite,
	},
	databases: {
		about: "sql_query on PostgreSQL against the bare driver, and its memory with many rows",
		load: async () => (await import("./databases.ts")).databasesSuite,
	},
	durable: {
		about: "what recording the steps of runs costs, and how soon a killed run goes on",
		load: async () => (await import("./durable.ts")).durableSuite,
	},
	executor: {
		about: "triggers, the engine, growth and the process",
		load: async () => (await import("./executor.ts")).executorSuite,
	},
	files: {
		about: "uploads against a bare server, and memory while files come and go",
		load: async () => (await import("./files.ts")).filesSuite,
	},
	kills: {
		about:
			"whether killing the process loses or repeats anything; --count says how many times (default 1000)",
		takes: "count",
		load: async () => (await import("./kills.ts")).killsSuite,
	},
	knowledge: {
		about: "triplets, graph, search and vectors",
		load: async () => (await import("./knowledge.ts")).knowledgeSuite,
	},
	mcp: {
		about: "calls of tools against the SDK's own handler, and what checking a bearer costs",
		load: async () => (await import("./mcp.ts")).mcpSuite,
	},
	postgres: {
		about: "PostgreSQL against SQLite, and several processes against one",
		load: async () => (await import("./postgres.ts")).postgresSuite,
	},
	"postgres-store": {
		about: "search and execution records on PostgreSQL; --count says among how many (default 100000)",
		takes: "count",
		load: async () => (await import("./postgres/store.ts")).postgresStoreSuite,
	},
	schedule: {
		about: "whether every run of a schedule comes, and how late; --count says how many minutes",
		takes: "count",
		load: async () => (await import("./schedule.ts")).scheduleSuite,
	},
	soak: {
		about: "memory over many triggers; --count says how many",
		takes: "count",
		load: async () => (await import("./soak.ts")).soakSuite,
	},
	store: {
		about: "entries and the execution log",
		load: async () => (await import("./store.ts")).storeSuite,
	},
	waiting: {
		about: "what runs cost that wait for a time, and how late they go on",
		load: async () => (await import("./waiting.ts")).waitingSuite,
	},
	"waiting-kills": {
		about: "the same as kills with runs that wait for a time; --count says how many times (default 200)",
		takes: "count",
		load: async () => (await import("./kills.ts")).waitingKillsSuite,
	},
	tracing: {
		about: "the plain trigger with tracing against the same without",
		load: async () => (await import("./tracing.ts")).tracingSuite,
	},
	versions: {
		about: "saving and triggering workflows against a commit before; --base says which (default HEAD~1)",
		takes: "base",
		load: async () => (await import("./versions.ts")).versionsSuite,
	},
};

for (const signal of ["SIGINT", "SIGTERM"] as const) {
	// Exit explicitly, so that child processes are stopped and temporary folders removed.
	process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
	const { values, positionals, problem } = parse(args);
	if (values?.help) {
		process.stdout.write(renderUsage());
		return 0;
	}
	const [name = "", ...rest] = positionals;
	const suite = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined;
	const wrong =
		problem ?? (suite && rest.length === 0 ? findWrongOption(suite, values) : describeUnknown(positionals));
	if (suite === undefined || wrong !== undefined) {
		process.stderr.write(`bench: ${wrong}\n${renderUsage()}`);
		return 2;
	}
	const { count, base } = values ?? {};
	const given = { ...(count && { count: Number(count) }), ...(base && { base }) };
	const run = await suite.load();
	const sections = await run((what) => process.stderr.write(`bench: ${what}\n`), given);
	const { within, barred } = countPassed(sections);
	if (values?.json) console.log(renderJson(sections));
	else
		console.log(
			`${describeMachine()}\n\n${renderTable(sections)}\n\n${within} of ${barred} within their bars`,
		);
	return within === barred ? 0 : 1;
}

function describeUnknown(names: readonly string[]): string {
	return names.length === 0 ? "which suite?" : `unknown suite "${names.join(" ")}"`;
}

function findWrongOption(
	{ takes }: SuiteEntry,
	values: { count?: string; base?: string } = {},
): string | undefined {
	for (const name of ["count", "base"] as const) {
		if (values[name] !== undefined && takes !== name) return `--${name} means nothing to this suite`;
	}
	if (values.count !== undefined && !/^[1-9]\d*$/.test(values.count)) return "--count takes a whole number";
}

function parse(args: string[]) {
	try {
		const options = {
			json: { type: "boolean" },
			help: { type: "boolean", short: "h" },
			count: { type: "string" },
			base: { type: "string" },
		} as const;
		return { ...parseArgs({ args, options, allowPositionals: true }), problem: undefined };
	} catch (error) {
		return { values: undefined, positionals: [], problem: (error as Error).message };
	}
}

function renderUsage(): string {
	const suites = Object.entries(SUITES).map(([name, { about }]) => `  ${name.padEnd(15)}${about}\n`);
	return `usage: npm run bench -- <suite> [--json] [--count <number>] [--base <commit>]\n\n${suites.join("")}`;
}
