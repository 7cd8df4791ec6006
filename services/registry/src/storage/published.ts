import { hashManifest } from "@tripline/components/installed/canonical";
import type { Manifest } from "@tripline/contract/registry";
import type { Clock } from "@tripline/platform/clock";
import type { Kv } from "@tripline/platform/kv";
import type { Listed } from "../domain/listing.ts";
import { compareVersions } from "../domain/versions.ts";

/** A published version, which never changes. */
export interface Published {
	readonly manifest: Manifest;
	readonly sha256: string;
	/** Null for bundled components. */
	readonly published_at: string | null;
}

export type PublishedStorage = ReturnType<typeof publishedStorage>;

const INDEX = "index";
const VERSIONS = "component:";
/** How long another instance's approval may stay unseen; a distributed key-value store takes longer anyway. */
const FRESH_MS = 10_000;

/**
 * The published versions: the bundled ones, and those in the key-value store with an index, so that a list costs one
 * read. The index is rebuilt from the versions, so the next publication repairs a lost write.
 */
export function publishedStorage(deps: { kv: Kv; market(): Promise<readonly Manifest[]>; clock: Clock }) {
	const { kv, market, clock } = deps;
	let embedded: readonly Published[] | null = null;
	let known: { readonly listed: ReadonlyMap<string, Listed>; readonly until: number } | null = null;

	return { all: listAll, version, publish };

	async function listAll(options: { fresh?: boolean } = {}): Promise<ReadonlyMap<string, Listed>> {
		if (known !== null && known.until > clock.now() && options.fresh !== true) return known.listed;
		return remember(await readIndex());
	}

	async function version(id: string, version: string): Promise<Published | null> {
		const own = await listBundledVersions(id);
		if (own.length > 0) return own.find(({ manifest }) => manifest.version === version) ?? null;
		const text = await kv.get(buildKey(id, version));
		return text === null ? null : (JSON.parse(text) as Published);
	}

	/** Writes the version first and the index last, so that a repetition after a crash gives the same result. */
	async function publish(published: Published): Promise<void> {
		const { id, version: number } = published.manifest;
		await kv.put(buildKey(id, number), JSON.stringify(published));
		const index = new Map((await readIndex()).map((listed) => [listed.id, listed]));
		addToIndex(index, published);
		for await (const key of listKeys()) {
			if (isIndexed(index, key)) continue;
			const text = await kv.get(key);
			if (text !== null) addToIndex(index, JSON.parse(text) as Published);
		}
		const listed = [...index.values()];
		await kv.put(INDEX, JSON.stringify(listed));
		await remember(listed);
	}

	async function readIndex(): Promise<readonly Listed[]> {
		const text = await kv.get(INDEX);
		return text === null ? [] : (JSON.parse(text) as Listed[]);
	}

	async function remember(index: readonly Listed[]): Promise<ReadonlyMap<string, Listed>> {
		const listed = new Map<string, Listed>();
		for (const each of await listBundled()) addToIndex(listed, each);
		// Published components take precedence over bundled ones of the same name from a later release.
		for (const each of index) listed.set(each.id, each);
		known = { listed, until: clock.now() + FRESH_MS };
		return listed;
	}

	/** The bundled versions of a component. */
	async function listBundledVersions(id: string): Promise<readonly Published[]> {
		const own = (await listBundled()).filter(({ manifest }) => manifest.id === id);
		if (own.length === 0) return own;
		return (await listAll()).get(id)?.updated_at === null ? own : [];
	}

	async function listBundled(): Promise<readonly Published[]> {
		embedded ??= await Promise.all(
			(await market()).map(async (manifest) => ({
				manifest,
				sha256: await hashManifest(manifest),
				published_at: null,
			})),
		);
		return embedded;
	}

	async function* listKeys(): AsyncGenerator<string> {
		let cursor: string | null = null;
		do {
			const page: Awaited<ReturnType<Kv["list"]>> = await kv.list({ prefix: VERSIONS, cursor });
			yield* page.keys;
			cursor = page.cursor;
		} while (cursor !== null);
	}
}

const buildKey = (id: string, version: string): string => `${VERSIONS}${id}@${version}`;

function isIndexed(index: ReadonlyMap<string, Listed>, key: string): boolean {
	const [id = "", version] = key.slice(VERSIONS.length).split("@");
	return index.get(id)?.versions.some((each) => each.version === version) ?? false;
}

function addToIndex(index: Map<string, Listed>, { manifest, sha256, published_at }: Published): void {
	const { id, version, title, description, kind, publisher, license, tags, hosts, credentials } = manifest;
	const before = index.get(id);
	const others = (before?.versions ?? []).filter((each) => each.version !== version);
	const versions = [...others, { version, sha256, published_at }].sort((one, other) =>
		compareVersions(other.version, one.version),
	);
	const isLatest = versions[0]?.version === version;
	const latest = isLatest
		? { id, version, title, description, kind, publisher, license, tags, hosts, credentials, sha256 }
		: before;
	if (latest === undefined) return;
	index.set(id, { ...latest, updated_at: isLatest ? published_at : (before?.updated_at ?? null), versions });
}
