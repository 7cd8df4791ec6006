import { ServiceUnavailable } from "@tripline/web/service-call";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { createExecutor, createRegistry } from "../services.ts";
import { takeFirstSentence } from "./sentence.ts";

const SOURCES = ["built-in", "recipe", "installed", "mcp", "registry"] as const;
type Source = (typeof SOURCES)[number];

interface Part {
	readonly id: string;
	readonly version: string;
	readonly source: Source;
	readonly title: string;
	readonly description: string;
}

/** An unavailable registry gives a note, not a failure, as long as there are other components to show. */
interface Market {
	readonly parts: readonly Part[];
	readonly note: string | null;
}

/** The registry's largest page. Nobody reads a longer list; they add another word to the search. */
const MAX_REGISTRY_RESULTS = 100;

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const words = (positionals.words as readonly string[] | undefined) ?? [];
	const source = parseSource(flags.source);
	const [here, market] = await Promise.all([
		source === "registry" ? [] : listComponents(io),
		source === undefined || source === "registry"
			? searchRegistry(words, source === "registry", io)
			: { parts: [], note: null },
	]);
	const wanted = filterMatching(here, words).filter((part) => source === undefined || part.source === source);
	const installed = new Set(here.filter((part) => part.source === "installed").map(({ id }) => getGroup(id)));
	const toInstall = market.parts.filter(({ id }) => !installed.has(id));
	return toOutcome([...wanted, ...toInstall], words, market.note);
}

function parseSource(given: Invocation["flags"][string]): Source | undefined {
	const source = SOURCES.find((each) => each === given);
	if (source !== undefined || given === undefined) return source;
	throw new CliProblem(`--source must be one of ${SOURCES.join(", ")}, not ${JSON.stringify(given)}`, {
		code: 2,
	});
}

/** The id before the dot: an operation belongs to the component installed under that id. */
const getGroup = (id: string): string => id.split(".", 1)[0] as string;

async function listComponents(io: Io): Promise<readonly Part[]> {
	const { components } = await createExecutor(io).components.list();
	return components;
}

function filterMatching(parts: readonly Part[], words: readonly string[]): readonly Part[] {
	return parts
		.map((part) => ({ part, rank: rankPart(part, words) }))
		.filter(({ rank }) => rank !== null)
		.sort((one, other) => (one.rank as number) - (other.rank as number))
		.map(({ part }) => part);
}

/** Matches like the registry: every word must occur. Lower is better: id before title before description. */
function rankPart({ id, title, description }: Part, words: readonly string[]): number | null {
	const texts = [id, title, description].map(foldCase);
	const places = words.map((word) => texts.findIndex((text) => text.includes(foldCase(word))));
	return places.includes(-1) ? null : Math.max(0, ...places);
}

const foldCase = (text: string): string => text.normalize("NFKC").toLowerCase();

async function searchRegistry(words: readonly string[], isAllWanted: boolean, io: Io): Promise<Market> {
	try {
		const q = words.length === 0 ? undefined : words.join(" ");
		const { components, next_cursor } = await createRegistry(io).list({ q, limit: MAX_REGISTRY_RESULTS });
		const parts = components.map((each) => ({ ...each, source: "registry" as const }));
		return {
			parts,
			note: next_cursor === null ? null : "The registry has more results: add a word to narrow the search.",
		};
	} catch (error) {
		if (isAllWanted || !(error instanceof ServiceUnavailable)) throw error;
		return {
			parts: [],
			note: "The registry did not answer: components that can be installed are not listed.",
		};
	}
}

function toOutcome(parts: readonly Part[], words: readonly string[], note: string | null): Outcome {
	const after = [
		...(note === null ? [] : [note]),
		...(parts.length === 0 ? [] : ["tripline components show <id> shows details."]),
	];
	return {
		json: {
			parts: parts.map(({ id, version, source, title, description }) => ({
				id,
				version,
				source,
				title,
				description,
			})),
			note,
		},
		text: {
			columns: ["component", "version", "source", "what it does"],
			rows: parts.map(({ id, version, source, title, description }) => [
				id,
				version,
				source,
				`${title}: ${takeFirstSentence(description)}`,
			]),
			empty: words.length === 0 ? "there are no components" : `no component matches ${words.join(" and ")}`,
			...(after.length > 0 && { after: after.join("\n") }),
		},
	};
}
