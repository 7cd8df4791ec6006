import type { DatabaseSync } from "node:sqlite";
import { uuidv7 } from "@tripline/contract/ids";
import { buildTriplet } from "@tripline/store/domain/triplets";
import { copyCachedDatabase } from "../cached-database.ts";
import { compare } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { randomNumbers } from "../store/data.ts";
import { type Call, get } from "../store/requests.ts";
import { openSubject, type Subject } from "../store/subject.ts";

const FEW = 10_000;
const MANY = 1_000_000;
/** Triplets that start at a node; as many end there. */
const OUT_DEGREE = 10;
const TRIPLETS_PER_SOURCE = 50;
const OWNER = "acme";
const ROUNDS = 11;
const BAR = { on: "ratio", most: 1.5 } as const;

const PRIMES = [7, 11, 13, 17, 19, 23, 29, 31, 37, 41];

const nodeName = (index: number) => `Node ${(Math.imul(index, 0x9e3779b1) >>> 0).toString(36)} ${index}`;

/** Every node has ten successors from one source, and ten predecessors scattered over the whole graph. */
function fill(database: DatabaseSync, triplets: number): void {
	const nodes = triplets / OUT_DEGREE;
	const entry = database.prepare(
		`insert into entries
			(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key)
		values (?1, 'triplet', '${OWNER}', ?2, ?3, ?4, ?5, ?5, ?6) returning seq`,
	);
	const source = database.prepare(
		"insert into sources (id, owner_id, uri, hash, anchor, block_id) values (?1, ?2, ?3, 'v1', '', '')",
	);
	const lookup = database.prepare(
		`insert into triplets (seq, owner_id, subject, predicate, object, uri, source, active)
		values (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1)`,
	);
	for (let index = 0; index < triplets; index++) {
		const from = Math.floor(index / OUT_DEGREE);
		const step = (index % OUT_DEGREE) + 1;
		// A multiplier that shares no factor with the number of nodes reaches every node once.
		const to = (from * (PRIMES[step - 1] as number) + step * 31) % nodes;
		const nth = Math.floor(index / TRIPLETS_PER_SOURCE) + 1;
		const uri = `doc:${nth}`;
		if (index % TRIPLETS_PER_SOURCE === 0) source.run(nth, OWNER, uri);
		const candidate = { subject: nodeName(from), predicate: `relation ${step % 5}`, object: nodeName(to) };
		const triplet = buildTriplet(OWNER, { uri, hash: "v1" }, { ...candidate, anchor: null, block_id: null });
		const time = 1_700_000_000 + Math.floor(index / 100);
		const row = entry.get(
			uuidv7(time * 1000),
			candidate.subject,
			triplet.text,
			JSON.stringify(triplet.stored),
			time,
			triplet.key,
		);
		const { subject, predicate, object } = triplet;
		lookup.run(row?.seq as number, OWNER, subject, predicate, object, uri, nth);
	}
}

const OPERATIONS: readonly {
	readonly what: string;
	readonly calls: number;
	readonly list: string;
	/** Checks that both graphs do the same work; in the small one some paths meet. */
	readonly atLeast: number;
	call(name: string): Call;
}[] = [
	{
		what: "GET /graph/neighbors, degree 20",
		calls: 200,
		list: "neighbors",
		atLeast: 19,
		call: (name) => get(`/graph/neighbors/${encodeURIComponent(name)}`, { owner_id: OWNER }),
	},
	{
		what: "GET /graph/traverse, depth 2",
		calls: 20,
		list: "triplets",
		atLeast: 360,
		call: (name) => get("/graph/traverse", { owner_id: OWNER, name, depth: "2", limit: "400" }),
	},
	{
		what: "GET /graph/source",
		calls: 200,
		list: "sources",
		atLeast: 10,
		call: (name) => get(`/graph/source/${encodeURIComponent(name)}`, { owner_id: OWNER }),
	},
];

/** The same calls on a million triplets ("ours") against ten thousand ("floor"). */
export async function graph(onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	onProgress(`graphs of ${FEW} and ${MANY} triplets (made once, then kept in bench/data)`);
	using few = openSubject(await copyDatabase(FEW, folder.path));
	using many = openSubject(await copyDatabase(MANY, folder.path));
	const rows: Row[] = [];
	for (const operation of OPERATIONS) {
		onProgress(operation.what);
		const side = async (subject: Subject, triplets: number) => {
			const random = randomNumbers(5);
			const call = () => operation.call(nodeName(Math.floor((random() * triplets) / OUT_DEGREE)));
			const answer = (await subject.answer(call())) as Record<string, unknown[]>;
			const length = answer[operation.list]?.length ?? 0;
			if (length < operation.atLeast) throw new Error(`${operation.what}: ${length} in the answer`);
			return () => subject.batch(Array.from({ length: operation.calls }, call));
		};
		const measured = await compare({
			rounds: ROUNDS,
			floor: await side(few, FEW),
			ours: await side(many, MANY),
		});
		rows.push({ what: operation.what, unit: "µs", ...measured, bar: BAR });
	}
	return rows;
}

const copyDatabase = (triplets: number, folder: string) =>
	copyCachedDatabase(
		{
			name: `graph-${triplets}`,
			filledBy: import.meta.filename,
			fill: (database) => fill(database, triplets),
		},
		folder,
	);
