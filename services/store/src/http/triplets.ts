import { uuidv7 } from "@tripline/contract/ids";
import {
	type IngestAction,
	Ingested,
	IngestedVersion,
	SourceVersion,
	TripletCandidate,
} from "@tripline/contract/triplets";
import { unixSeconds } from "@tripline/platform/clock";
import type { Incoming } from "@tripline/web/http-message";
import { type Route, reply, route } from "@tripline/web/route";
import { type Caller, resolveOwnerOrDefault } from "../domain/callers.ts";
import {
	buildTriplet,
	ENTITY_SLOTS,
	listEntities,
	TRIPLET_SLOTS,
	toCandidate,
	toTriplet,
} from "../domain/triplets.ts";
import { ensureTemplate } from "../storage/ensure-template.ts";
import type { NewVersion, WrittenVersion } from "../storage/triplets.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Triplets";

export function tripletRoutes(parts: StoreParts): Route<Caller>[] {
	const { entries, triplets, clock, settings, announce } = parts;
	let templates: NewVersion["templates"] | undefined;

	return [
		route({
			method: "POST",
			path: "/triplets/ingest",
			tag,
			summary: "Ingest a triplet with its source",
			description:
				"A triple that exists for the same source version is left unchanged. Otherwise the triplet is appended, and triplets of the same source, subject and predicate from other versions are deprecated afterwards.",
			body: TripletCandidate,
			responses: {
				200: { description: "The triplet already existed", body: Ingested },
				201: { description: "The triplet was appended", body: Ingested },
			},
			async handle({ caller, body, request }) {
				const owner = resolveOwnerOrDefault(caller, body.owner_id, settings.defaultOwner);
				const candidate = toCandidate(body);
				const fresh = addId(buildTriplet(owner, body.source, candidate));
				const written = await write(owner, body.source, [candidate], [fresh], fresh);
				const action = getAction(fresh, written);
				announceIngested(request, owner, [fresh], written);
				const stored = await entries.get(written.ids.get(fresh.key) as string);
				return reply(action === "unchanged" ? 200 : 201, {
					triplet: stored && toTriplet(stored),
					action,
					deprecated: written.deprecated.map(({ id }) => id),
				});
			},
		}),
		route({
			method: "POST",
			path: "/triplets/ingest/batch",
			tag,
			summary: "Ingest one version of a source",
			description:
				"Appends the candidates, then deprecates the source's triplets from other versions. Send more than 500 candidates in several calls with the same hash. An empty list deprecates all triplets of the source's other versions.",
			body: SourceVersion,
			responses: { 200: { description: "The result for each candidate", body: IngestedVersion } },
			async handle({ caller, body, request }) {
				const owner = resolveOwnerOrDefault(caller, body.owner_id, settings.defaultOwner);
				const fresh = body.candidates.map((candidate) => addId(buildTriplet(owner, body.source, candidate)));
				const written = await write(owner, body.source, body.candidates, fresh, "source");
				announceIngested(request, owner, fresh, written);
				return reply(200, {
					triplets: fresh.map((triplet) => ({
						id: written.ids.get(triplet.key),
						action: getAction(triplet, written),
					})),
					deprecated: written.deprecated.map(({ id }) => id),
				});
			},
		}),
	];

	async function write(
		owner: string,
		source: NewVersion["source"],
		candidates: SourceVersion["candidates"],
		fresh: NewVersion["triplets"],
		retires: NewVersion["retires"],
	): Promise<WrittenVersion> {
		// Cache the value, not its promise: on Workers a cancelled request never settles its promises.
		templates ??= await ensureTemplates();
		return triplets.ingest({
			owner,
			source,
			triplets: fresh,
			entities: listEntities(owner, candidates).map(addId),
			retires,
			templates,
			now: unixSeconds(clock),
		});
	}

	/** Announces one event for each new triplet. */
	function announceIngested(
		request: Incoming,
		owner: string,
		fresh: NewVersion["triplets"],
		written: WrittenVersion,
	): void {
		const isNew = (triplet: (typeof fresh)[number]) => getAction(triplet, written) !== "unchanged";
		if (!fresh.some(isNew)) return;
		announce(request, owner, () =>
			fresh.filter(isNew).map((triplet) => {
				const { subject, predicate, object, source_uri } = triplet.stored;
				return {
					type: "triplet.ingested",
					data: { action: getAction(triplet, written), subject, predicate, object, source_uri },
				};
			}),
		);
	}

	async function ensureTemplates(): Promise<NewVersion["templates"]> {
		const triplet = await ensureTemplate(parts, null, "triplet", TRIPLET_SLOTS);
		const entity = await ensureTemplate(parts, null, "entity", ENTITY_SLOTS);
		return { triplet: triplet.template.id, entity: entity.template.id };
	}

	function addId<Item>(item: Item): Item & { readonly id: string } {
		return { ...item, id: uuidv7(clock.now()) };
	}
}

function getAction(
	triplet: { readonly id: string; readonly key: string },
	written: WrittenVersion,
): IngestAction {
	if (written.ids.get(triplet.key) !== triplet.id) return "unchanged";
	return written.deprecated.some((old) => old.superseded_by === triplet.id) ? "replaced" : "created";
}
