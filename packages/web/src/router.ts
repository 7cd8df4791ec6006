import { Failed, notFound } from "@tripline/contract/failures";
import type { Route } from "./route.ts";

export interface Match<Caller> {
	readonly route: Route<Caller>;
	readonly params: Readonly<Record<string, string>>;
}

interface Resource<Caller> {
	readonly segments: readonly string[];
	readonly methods: Map<string, Route<Caller>>;
}

/**
 * Matches whole segments of the raw path and decodes parameters afterwards, so that no alternative spelling of a path
 * (`%2F`, `//`, a trailing slash) reaches another route.
 */
export function createRouter<Caller>(routes: readonly Route<Caller>[]) {
	const fixed = new Map<string, Resource<Caller>>();
	/** Keyed by number of segments. */
	const withParameters = new Map<number, Resource<Caller>[]>();
	for (const each of routes) addRoute(each);

	return function match(method: string, path: string): Match<Caller> {
		const resource = fixed.get(path);
		if (resource !== undefined) return { route: findRoute(resource, method), params: {} };
		const segments = path.split("/");
		for (const candidate of withParameters.get(segments.length) ?? []) {
			const params = matchSegments(candidate.segments, segments);
			if (params !== null) return { route: findRoute(candidate, method), params };
		}
		throw notFound();
	};

	function addRoute(added: Route<Caller>): void {
		const segments = added.path.split("/");
		const isFixed = !added.path.includes("{");
		const sameLength = withParameters.get(segments.length) ?? [];
		const known = isFixed
			? fixed.get(added.path)
			: sameLength.find((resource) => hasSameShape(resource.segments, segments));
		const resource = known ?? { segments, methods: new Map<string, Route<Caller>>() };
		if (resource.methods.has(added.method)) throw new Error(`two routes for ${added.method} ${added.path}`);
		resource.methods.set(added.method, added);
		if (known !== undefined) return;
		if (isFixed) fixed.set(added.path, resource);
		else withParameters.set(segments.length, [...sameLength, resource]);
	}
}

function findRoute<Caller>(resource: Resource<Caller>, method: string): Route<Caller> {
	const found = resource.methods.get(method === "HEAD" ? "GET" : method) ?? resource.methods.get("ANY");
	if (found !== undefined) return found;
	for (const each of resource.methods.values()) if (each.anyMethod === true) return each;
	const allow = [...resource.methods.keys()].flatMap((each) => (each === "GET" ? ["GET", "HEAD"] : [each]));
	throw new Failed({ kind: "method_not_allowed", message: "method not allowed", allow: allow.join(", ") });
}

/** Expects the same number of segments in both. */
function matchSegments(
	pattern: readonly string[],
	segments: readonly string[],
): Record<string, string> | null {
	for (let index = 0; index < pattern.length; index++) {
		const part = pattern[index] as string;
		if (isParameter(part) ? segments[index] === "" : segments[index] !== part) return null;
	}
	const params: Record<string, string> = {};
	for (let index = 0; index < pattern.length; index++) {
		const part = pattern[index] as string;
		if (isParameter(part)) params[part.slice(1, -1)] = decodeSegment(segments[index] as string);
	}
	return params;
}

function decodeSegment(segment: string): string {
	if (!segment.includes("%")) return segment;
	try {
		return decodeURIComponent(segment);
	} catch {
		throw new Failed({ kind: "bad_request", message: "the path is not valid percent-encoded UTF-8" });
	}
}

const isParameter = (segment: string): boolean => segment.startsWith("{");

const hasSameShape = (one: readonly string[], other: readonly string[]): boolean =>
	one.length === other.length &&
	one.every((segment, index) => {
		const twin = other[index] as string;
		return isParameter(segment) ? isParameter(twin) : segment === twin;
	});
