import { useEffect, useRef } from "react";
import { api } from "../api/api.ts";
import { SESSION_URL } from "../api/first-requests.ts";
import type { SessionInfo } from "../api/types.ts";
import { getCachedAnswer } from "../api/use-query.ts";
import { stored } from "../stored.ts";
import { getEndReason, getSession } from "./session.ts";

type Work = Readonly<Record<string, string | null>>;

interface Kept {
	readonly place: string;
	readonly namespace: string;
	readonly work: Work;
}

const isText = (value: unknown): value is string => typeof value === "string";

const kept = stored<Kept | null>("tripline.unsaved", null, isKept, sessionStorage);

function isKept(value: unknown): value is Kept | null {
	if (value === null) return true;
	const { place, namespace, work } = value as { [Part in keyof Kept]?: unknown };
	const parts = typeof work === "object" && work !== null ? Object.values(work) : [0];
	return [place, namespace].every(isText) && parts.every((part) => part === null || isText(part));
}

const buildPlaceKey = (kind: string): string => `${kind} ${location.pathname}`;

/** Whether this page had unsaved changes when the session expired. */
export const hasKeptWork = (kind: string): boolean => kept.get()?.place === buildPlaceKey(kind);
export const forgetKeptWork = (): void => kept.set(null);

/**
 * Keeps unsaved changes (null: none) when the session expires, and restores them after the next login in the same tab,
 * on the same page and for the same tenant. A user who logs out has already confirmed the loss.
 */
export function useKeptWork<T extends Work>(
	kind: string,
	unsaved: T | null,
	takeUp: (work: T) => void,
): void {
	const latest = useRef({ unsaved, takeUp });
	latest.current = { unsaved, takeUp };
	useEffect(() => {
		const before = hasKeptWork(kind) ? kept.get() : null;
		if (before !== null)
			api.session().then(
				({ namespace }) => {
					forgetKeptWork();
					if (namespace === before.namespace) latest.current.takeUp(before.work as T);
				},
				() => {},
			);
		return () => {
			const work = latest.current.unsaved;
			const namespace = (getCachedAnswer(SESSION_URL) as SessionInfo | undefined)?.namespace;
			if (work === null || namespace === undefined) return;
			if (getSession() === null && getEndReason() !== "logged out")
				kept.set({ place: buildPlaceKey(kind), namespace, work });
		};
	}, [kind]);
}
