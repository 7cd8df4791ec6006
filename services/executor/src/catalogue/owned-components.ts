import { hashManifest } from "@tripline/components/installed/canonical";
import type { McpServerWithName } from "@tripline/contract/mcp-servers";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import type { ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import type { Manifest } from "@tripline/contract/registry";
import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import { noSignals, type Signals } from "@tripline/platform/signals";
import type { OwnedComponentStorage, OwnedComponentTexts } from "../storage/owned-components.ts";
import { LazyMap } from "./lazy-map.ts";
import { indexSeededRecipes, readSeeded, type SeededTexts } from "./seeded.ts";

/** A component from the registry, as it was at installation. */
export interface Installed {
	readonly manifest: Manifest;
	readonly sha256: string;
	readonly installed_at: string;
}

/** One owner's additions to the built-in components, by id. */
export interface OwnedComponents {
	readonly apiRecipes: ReadonlyMap<string, ApiRecipe>;
	readonly authRecipes: ReadonlyMap<string, AuthRecipe>;
	readonly installed: ReadonlyMap<string, Installed>;
	readonly mcpServers: ReadonlyMap<string, McpServerWithName>;
}

/** MCP servers are stored among the installed components, whose ids have no colon: another type would be another query. */
const MCP_PREFIX = "mcp:";
export const toMcpServerPage = (name: string): string => MCP_PREFIX + name;

const CHANGED = "components";
/** How long a change made by another process may go unnoticed. */
const CACHE_MS = 5_000;
const MAX_OWNERS = 1_000;

type Texts =
	| readonly [api: OwnedComponentTexts, auth: OwnedComponentTexts, installed: OwnedComponentTexts]
	| readonly [seeded: SeededTexts];
interface Kept {
	readonly texts: Texts;
	readonly owned: OwnedComponents;
	readonly until: number;
}

/** Recipes, installed components and MCP servers by owner. Returns the same object until something changes, so that derived values can be cached by it. */
export function createOwnedComponents(deps: {
	storage: OwnedComponentStorage;
	clock: Clock;
	log: Log;
	signals?: Signals | undefined;
}) {
	const { storage, clock, log, signals = noSignals } = deps;
	const kept = new Map<string, Kept>();
	let changes = 0;
	signals.on(CHANGED, forget);

	return {
		async get(owner: string): Promise<OwnedComponents> {
			const known = kept.get(owner);
			return known !== undefined && clock.now() < known.until ? known.owned : read(owner);
		},

		/** Call it after a change made by this process. */
		forget(owner: string): void {
			forget(owner);
			signals.send(CHANGED, owner);
		},
	};

	function forget(owner: string): void {
		changes++;
		kept.delete(owner);
	}

	async function read(owner: string): Promise<OwnedComponents> {
		const before = changes;
		const known = kept.get(owner);
		const texts = await readTexts(owner, known?.texts);
		const isSame = known !== undefined && hasSameTexts(known.texts, texts);
		const owned = isSame ? known.owned : await parseTexts(owner, texts);
		if (before === changes) {
			kept.delete(owner);
			if (kept.size >= MAX_OWNERS) kept.delete(kept.keys().next().value as string);
			kept.set(owner, { texts, owned, until: clock.now() + CACHE_MS });
		}
		return owned;
	}

	async function readTexts(owner: string, known: Texts | undefined): Promise<Texts> {
		if (owner === SYSTEM_OWNER)
			return [await readSeeded(storage, known?.length === 1 ? known[0] : undefined)];
		return Promise.all([
			storage.texts(owner, "api_recipe"),
			storage.texts(owner, "auth_recipe"),
			storage.texts(owner, "installed_component"),
		]);
	}

	async function parseTexts(owner: string, texts: Texts): Promise<OwnedComponents> {
		if (texts.length === 1)
			return { ...indexSeededRecipes(texts[0]), installed: new Map(), mcpServers: new Map() };
		const [api, auth, components] = texts;
		const installed = new Map<string, Installed>();
		const servers = new Map<string, string>();
		for (const [id, text] of components) {
			if (id.startsWith(MCP_PREFIX)) {
				servers.set(id.slice(MCP_PREFIX.length), text);
				continue;
			}
			const component = JSON.parse(text) as Installed;
			if ((await hashManifest(component.manifest)) === component.sha256) installed.set(id, component);
			else log("error", "an installed component does not match its hash", { owner, component: id });
		}
		return {
			apiRecipes: parseRecipes(api),
			authRecipes: parseRecipes(auth),
			installed,
			mcpServers: new LazyMap(servers),
		};
	}
}

function parseRecipes<Recipe extends { readonly id: string }>(
	texts: OwnedComponentTexts,
): Map<string, Recipe> {
	return new Map([...texts].map(([id, text]) => [id, { ...JSON.parse(text), id } as Recipe]));
}

const hasSameTexts = (a: Texts, b: Texts): boolean =>
	a.every((texts, kind) => {
		const others = b[kind];
		if (!(texts instanceof Map && others instanceof Map)) return texts === others;
		return texts.size === others.size && [...texts].every(([id, text]) => others.get(id) === text);
	});
