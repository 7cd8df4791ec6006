import { type Failed, invalid } from "@tripline/contract/failures";
import type { Slot } from "@tripline/contract/templates";
import type { SourceVersion, Triplet, TripletCandidate } from "@tripline/contract/triplets";

/** The form in which names are compared: "Café ", "CAFÉ" and full-width "ｃａｆé" are equal. */
export function foldName(name: string): string {
	// Lower, upper, then lower case is the closest JavaScript has to full case folding (ẞ, ß and SS; ſ and s).
	const folded = name.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
	return folded.normalize("NFKC").trim();
}

const slot = (name: string, type: Slot["type"], more: Partial<Slot> = {}): Slot => ({
	name,
	type,
	required: false,
	...more,
});

export const TRIPLET_SLOTS: readonly Slot[] = [
	slot("subject", "string", { required: true }),
	slot("predicate", "string", { required: true }),
	slot("object", "string", { required: true }),
	slot("status", "string", { default: "active" }),
	slot("superseded_by", "string"),
	slot("source_uri", "string", { required: true }),
	slot("content_hash", "string", { required: true }),
	slot("source_anchor", "string"),
	slot("block_id", "string"),
	slot("confidence", "number"),
];

export const ENTITY_SLOTS: readonly Slot[] = [
	slot("name", "string", { required: true }),
	slot("gloss", "string"),
];

/** The error for a triplet or entity written outside ingest, which would be missing from the graph. */
export const createIngestOnlyError = (path: string, name: string): Failed =>
	invalid([{ path, message: `${name} is written by POST /triplets/ingest` }]);

/** The metadata of a triplet's entry; `status` may be absent in old ones. */
type StoredTriplet = Partial<Omit<Triplet, "id" | "owner_id" | "created_at" | "updated_at">> &
	Pick<Triplet, "subject" | "predicate" | "object" | "source_uri" | "content_hash">;

export interface SourceOfCandidates {
	readonly uri: string;
	readonly hash: string;
}

/** A candidate prepared for writing. */
export interface NewTriplet {
	/** Identifies the owner, source, version and triple. */
	readonly key: string;
	readonly subject: string;
	readonly predicate: string;
	readonly object: string;
	/** The statement as readable text. */
	readonly text: string;
	readonly stored: StoredTriplet;
}

export interface NewEntity {
	readonly key: string;
	readonly name: string;
	readonly gloss: string;
}

type Candidate = SourceVersion["candidates"][number];

export function buildTriplet(owner: string, source: SourceOfCandidates, candidate: Candidate): NewTriplet {
	const names = [candidate.subject, candidate.predicate, candidate.object].map((name) => name.trim());
	const [subject, predicate, object] = names as [string, string, string];
	const folded = names.map(foldName) as [string, string, string];
	return {
		key: buildTripletKey(owner, source, folded),
		subject: folded[0],
		predicate: folded[1],
		object: folded[2],
		text: names.join(" "),
		stored: {
			subject,
			predicate,
			object,
			status: "active",
			superseded_by: null,
			source_uri: source.uri,
			content_hash: source.hash,
			source_anchor: candidate.anchor ?? null,
			block_id: candidate.block_id ?? null,
			confidence: candidate.confidence ?? null,
		},
	};
}

export const buildTripletKey = (
	owner: string,
	source: SourceOfCandidates,
	folded: readonly [string, string, string],
): string => [owner, "triplet", source.uri, source.hash, ...folded].join("\n");

/** The entities with a gloss among the candidates; the last gloss of a node wins. */
export function listEntities(owner: string, candidates: readonly Candidate[]): NewEntity[] {
	const entities = new Map<string, NewEntity>();
	for (const { subject, object, gloss } of candidates) {
		for (const [name, text] of [
			[subject, gloss?.subject],
			[object, gloss?.object],
		] as const) {
			const key = buildEntityKey(owner, foldName(name));
			if (text !== undefined) entities.set(key, { key, name: name.trim(), gloss: text });
		}
	}
	return [...entities.values()];
}

export const buildEntityKey = (owner: string, folded: string): string => `${owner}\nentity\n${folded}`;

/** Converts a single candidate to the form used in a source version. */
export function toCandidate({ source, owner_id: _, ...candidate }: TripletCandidate): Candidate {
	return { ...candidate, anchor: source.anchor, block_id: source.block_id };
}

export function toTriplet(row: {
	readonly id: string;
	readonly owner_id: string;
	readonly metadata_json: string;
	readonly created_at: number;
	readonly updated_at: number;
}): Triplet {
	const stored = JSON.parse(row.metadata_json) as StoredTriplet;
	return {
		id: row.id,
		owner_id: row.owner_id,
		subject: stored.subject,
		predicate: stored.predicate,
		object: stored.object,
		status: stored.status ?? "active",
		superseded_by: stored.superseded_by ?? null,
		source_uri: stored.source_uri,
		content_hash: stored.content_hash,
		source_anchor: stored.source_anchor ?? null,
		block_id: stored.block_id ?? null,
		confidence: stored.confidence ?? null,
		created_at: row.created_at,
		updated_at: row.updated_at,
	};
}
