import { type Names, ROLES } from "./plan.ts";
import type { Resources, Upload } from "./upload.ts";

/** The deployment that a worker belongs to. */
const APP = "app:";
/** The worker's fingerprint; without it, the worker is not fully deployed. */
const FINGERPRINT = "fp:";
/** For a replaced worker: the version to roll back to. */
const PREVIOUS = "prev:";
/** The tags of that version, and the fingerprint of the new one. */
const WAS = "was:";
const NEXT = "next:";
/** Says that the vector index is in use, for tokens that may not read the index. */
export const VECTORS_TAG = "vectors:on";
/** The same for the bucket. */
export const FILES_TAG = "files:on";

const appTag = ({ prefix }: Names): string => APP + prefix;
export const fingerprintTag = ({ fingerprint }: Upload): string => FINGERPRINT + fingerprint;

export const unfinishedTags = (names: Names): readonly string[] => [appTag(names)];

export const finishedTags = (
	upload: Upload,
	{ names, vectorIndex, bucket }: Resources,
): readonly string[] => [
	appTag(names),
	fingerprintTag(upload),
	...(upload.plan.vectors !== undefined && vectorIndex !== null ? [VECTORS_TAG] : []),
	...(upload.plan.bucket !== undefined && bucket !== null ? [FILES_TAG] : []),
];

export const isComplete = (tags: readonly string[]): boolean =>
	tags.some((tag) => tag.startsWith(FINGERPRINT));

/** A worker whose new version has not been confirmed to be healthy. */
export interface Replacement {
	/** The version to roll back to. */
	readonly previous: string;
	/** Its tags. */
	readonly before: readonly string[];
	/** The tags of the new version, once it is confirmed to be healthy. */
	readonly after: readonly string[];
}

/** Uploaded with the new version, so that a later run can complete the replacement, whatever it deploys itself. */
export const replacementTags = ({ previous, before, after }: Replacement): readonly string[] => [
	...after.map((tag) => (tag.startsWith(FINGERPRINT) ? NEXT + tag : tag)),
	PREVIOUS + previous,
	...before.filter((tag) => !tag.startsWith(APP)).map((tag) => WAS + tag),
];

/** The unfinished replacement that the tags describe; null if there is none. */
export function findReplacement(tags: readonly string[]): Replacement | null {
	const [previous] = stripPrefix(PREVIOUS, tags);
	if (previous === undefined) return null;
	const ofBoth = tags.filter((tag) => tag.startsWith(APP));
	const rest = tags.filter((tag) => ![APP, PREVIOUS, WAS, NEXT].some((prefix) => tag.startsWith(prefix)));
	return {
		previous,
		before: [...ofBoth, ...stripPrefix(WAS, tags)],
		after: [...ofBoth, ...stripPrefix(NEXT, tags), ...rest],
	};
}

const stripPrefix = (prefix: string, tags: readonly string[]): readonly string[] =>
	tags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length));

/** Workers that use a name of the deployment but do not belong to it. */
export const listStrangers = (
	scripts: ReadonlyMap<string, readonly string[]>,
	names: Names,
): readonly string[] =>
	ROLES.map((role) => names.worker(role)).filter(
		(name) => scripts.get(name)?.includes(appTag(names)) === false,
	);
