/** A commit message: its first line and the rest. */
export interface Commit {
	readonly subject: string;
	readonly body: string;
}

const GROUPS = [
	{ heading: "Breaking", types: [] },
	{ heading: "New", types: ["feat"] },
	{ heading: "Fixed", types: ["fix", "revert"] },
	{ heading: "Faster", types: ["perf"] },
	{ heading: "Documentation", types: ["docs"] },
	{ heading: "Internal", types: ["refactor", "test", "build", "ci", "chore", "style"] },
] as const;
type Heading = (typeof GROUPS)[number]["heading"];

const SUBJECT = /^(?<type>[a-z]+)(?:\((?<scope>[^)]+)\))?(?<breaks>!)?: (?<text>.+)$/;

/** The changelog entry of a version: one sentence per commit, grouped by type, in the order of the history. */
export function renderEntry(version: string, commits: readonly Commit[]): string {
	const sentences = commits.map(toSentence);
	const sections = GROUPS.map(({ heading }) => {
		const lines = sentences.filter((each) => each.heading === heading).map(({ text }) => `- ${text}\n`);
		return lines.length === 0 ? "" : `### ${heading}\n\n${[...new Set(lines)].join("")}`;
	});
	return `## ${version}\n\n${sections.filter((section) => section !== "").join("\n")}`;
}

/** Inserts the entry above the newest one. */
export function insertEntry(changelog: string, entry: string): string {
	const newest = changelog.search(/^## /m);
	if (newest === -1) return `${changelog.trimEnd()}\n\n${entry}`;
	return `${changelog.slice(0, newest)}${entry}\n${changelog.slice(newest)}`;
}

function toSentence({ subject, body }: Commit): { heading: Heading; text: string } {
	const { type, scope, breaks, text = subject } = SUBJECT.exec(subject)?.groups ?? {};
	const isBreaking = breaks !== undefined || /^BREAKING[ -]CHANGE: /m.test(body);
	const found = GROUPS.find(({ types }) => (types as readonly string[]).includes(type ?? ""));
	const words = scope === undefined ? text : `${ABBREVIATIONS[scope] ?? scope}: ${text}`;
	return {
		heading: isBreaking ? "Breaking" : (found?.heading ?? "Internal"),
		text: addPeriod(capitalize(words.trim())),
	};
}

const ABBREVIATIONS: Readonly<Record<string, string>> = { mcp: "MCP", cli: "CLI" };

/** Names from the code keep their case. */
const capitalize = (text: string): string =>
	/^\p{Ll}[\p{Ll}'-]*(?=[\s,:;.!]|$)/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

const addPeriod = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
