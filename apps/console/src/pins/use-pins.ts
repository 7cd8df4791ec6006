import type { Json } from "@tripline/contract/json";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { api } from "../api/api.ts";
import { SESSION_URL } from "../api/first-requests.ts";
import { useQuery } from "../api/use-query.ts";
import { getPins, NO_PINS, type Pin, removePin, setPin } from "./pins.ts";

const RETRY_MS = 2000;

export interface Pins {
	/** In the order in which they were pinned; null until the namespace is known. */
	readonly all: readonly Pin[] | null;
	pin(node: string, output: Json): void;
	unpin(node: string): void;
	/** Called after the workflow was renamed. */
	moveTo(workflow: string): void;
}

/** The pins of a workflow's draft. */
export function usePins(workflow: string | null): Pins {
	const namespace = useNamespace();
	const pins = workflow === null || namespace === undefined ? null : getPins(namespace, workflow);
	const all = useSyncExternalStore(pins?.subscribe ?? ignore, pins?.get ?? getNull);
	return useMemo(() => {
		const change = (next: (now: readonly Pin[]) => readonly Pin[]) => pins?.set(orNone(next(pins.get())));
		return {
			all: workflow === null ? NO_PINS : all,
			pin: (node, output) => change((now) => setPin(now, node, output)),
			unpin: (node) => change((now) => removePin(now, node)),
			moveTo(to) {
				if (pins === null || namespace === undefined || to === workflow) return;
				getPins(namespace, to).set(pins.get());
				pins.set(NO_PINS);
			},
		};
	}, [workflow, namespace, pins, all]);
}

/** Asks again until it is known, because nothing can be run before. */
function useNamespace(): string | undefined {
	const { data, problem, reload } = useQuery(SESSION_URL, api.session);
	const failed = data === undefined ? problem : null;
	useEffect(() => {
		if (failed === null) return;
		const timer = setTimeout(reload, RETRY_MS);
		return () => clearTimeout(timer);
	}, [failed, reload]);
	return data?.namespace;
}

/** The stored value is removed if it is the fallback itself. */
const orNone = (pins: readonly Pin[]): readonly Pin[] => (pins.length === 0 ? NO_PINS : pins);
const ignore = () => () => {};
const getNull = () => null;
