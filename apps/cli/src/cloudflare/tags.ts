import { type Names, ROLES } from "./plan.ts";
import type { Resources, Upload } from "./upload.ts";

/** Says whose a worker is. */
const APP = "app:";
/** All that a worker is; without it, it is not whole. */
const FINGERPRINT = "fp:";
/** Of a worker that was replaced: the version to go back to. */
const PREVIOUS = "prev:";
/** The tags of that version, and the fingerprint of the new one. */
const WAS = "was:";
const NEXT = "next:";
/** That the vector index is in use is known from the tag also where the token may not look. */
export const VECTORS_TAG = "vectors:on";

const appTag = ({ prefix }: Names): string => APP + prefix;
export const fingerprintTag = ({ fingerprint }: Upload): string => FINGERPRINT + fingerprint;

export const unfinishedTags = (names: Names): readonly string[] => [appTag(names)];

export const finishedTags = (upload: Upload, { names, vectorIndex }: Resources): readonly string[] => [
	appTag(names),
	fingerprintTag(upload),
	...(upload.plan.vectors !== undefined && vectorIndex !== null ? [VECTORS_TAG] : []),
];

export const isWhole = (tags: readonly string[]): boolean => tags.some((tag) => tag.startsWith(FINGERPRINT));

/** A worker got a new version that has not been seen to be healthy. */
export interface Replacement {
	/** The version to go back to. */
	readonly previous: string;
	/** Its tags. */
	readonly before: readonly string[];
	/** Those of the new version, once it is seen to be healthy. */
	readonly after: readonly string[];
}

/** They go up with the new version: whoever finds them can end what was begun, whatever is to be deployed by then. */
export const replacementTags = ({ previous, before, after }: Replacement): readonly string[] => [
	...after.map((tag) => (tag.startsWith(FINGERPRINT) ? NEXT + tag : tag)),
	PREVIOUS + previous,
	...before.filter((tag) => !tag.startsWith(APP)).map((tag) => WAS + tag),
];

/** Null: none was left behind. */
export function replacementIn(tags: readonly string[]): Replacement | null {
	const [previous] = without(PREVIOUS, tags);
	if (previous === undefined) return null;
	const ofBoth = tags.filter((tag) => tag.startsWith(APP));
	const rest = tags.filter((tag) => ![APP, PREVIOUS, WAS, NEXT].some((prefix) => tag.startsWith(prefix)));
	return {
		previous,
		before: [...ofBoth, ...without(WAS, tags)],
		after: [...ofBoth, ...without(NEXT, tags), ...rest],
	};
}

const without = (prefix: string, tags: readonly string[]): readonly string[] =>
	tags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length));

/** Workers that have a name of the deployment and are something else. */
export const strangers = (scripts: ReadonlyMap<string, readonly string[]>, names: Names): readonly string[] =>
	ROLES.map((role) => names.worker(role)).filter(
		(name) => scripts.get(name)?.includes(appTag(names)) === false,
	);
