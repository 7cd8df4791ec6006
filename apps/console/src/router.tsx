import {
	type AnchorHTMLAttributes,
	type MouseEvent,
	useCallback,
	useEffect,
	useRef,
	useSyncExternalStore,
} from "react";

const BASE = "/console";
const listeners = new Set<() => void>();
let shownUrl = location.href;
addEventListener("popstate", () => {
	// The browser has already gone back, so staying means restoring the previous address.
	if (!mayLeave()) history.pushState(null, "", shownUrl);
	else notifyListeners();
});

function notifyListeners(): void {
	shownUrl = location.href;
	for (const listener of listeners) listener();
}

/** Set by a page with unsaved changes; returns whether the page may be left. */
let leaveCheck: (() => boolean) | null = null;
/** Asks the user if there are unsaved changes. */
export const mayLeave = (): boolean => leaveCheck === null || leaveCheck();

/** Paths are relative to /console: "/workflows/daily?tab=runs". With `isStaying` the page keeps its scroll position. */
export function navigate(to: string, { replace = false, isStaying = false } = {}): void {
	const isSamePage = to.split("?")[0] === path();
	if (!isSamePage && !mayLeave()) return;
	history[replace ? "replaceState" : "pushState"](null, "", BASE + (to === "/" ? "" : to));
	if (!isSamePage && !isStaying) scrollTo(0, 0);
	notifyListeners();
}

const path = (): string => location.pathname.slice(BASE.length).replace(/\/+$/, "") || "/";
const search = (): string => location.search;

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

export const usePath = (): string => useSyncExternalStore(subscribe, path);

/** The query parameters of the address, and a function that changes some of them; null or "" removes one. */
export function useSearch(): [URLSearchParams, (changes: Readonly<Record<string, string | null>>) => void] {
	const now = new URLSearchParams(useSyncExternalStore(subscribe, search));
	const change = useCallback((changes: Readonly<Record<string, string | null>>) => {
		const next = new URLSearchParams(location.search);
		for (const [name, value] of Object.entries(changes)) {
			if (value === null || value === "") next.delete(name);
			else next.set(name, value);
		}
		const text = next.toString();
		navigate(path() + (text === "" ? "" : `?${text}`), { replace: true });
	}, []);
	return [now, change];
}

/**
 * Asks before the page is left while there are unsaved changes. `saves`: starts to save them and returns true if that
 * makes the question unnecessary for another page of the console; the browser still asks before it closes the tab.
 */
export function useLeaveGuard(isUnsaved: boolean, question: string, saves?: () => boolean): void {
	const latest = useRef(saves);
	latest.current = saves;
	useEffect(() => {
		if (!isUnsaved) return;
		leaveCheck = () => latest.current?.() === true || confirm(question);
		const warn = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", warn);
		return () => {
			leaveCheck = null;
			removeEventListener("beforeunload", warn);
		};
	}, [isUnsaved, question]);
}

export function Link({
	to,
	onClick,
	...rest
}: { readonly to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href">) {
	return <a {...rest} href={BASE + (to === "/" ? "" : to)} onClick={follow} />;

	function follow(event: MouseEvent<HTMLAnchorElement>): void {
		onClick?.(event);
		const isPlain =
			event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
		if (event.defaultPrevented || !isPlain) return;
		event.preventDefault();
		navigate(to);
	}
}

/** Props of a page: the parameters of its path. */
export interface PageProps {
	readonly params: Readonly<Record<string, string>>;
}

/** The parameters of a path that matches a pattern such as "/workflows/:name"; null if it does not match. */
export function matchPath(pattern: string, of: string): PageProps["params"] | null {
	const [wanted, given] = [pattern.split("/"), of.split("/")];
	if (wanted.length !== given.length) return null;
	const params: Record<string, string> = {};
	for (const [index, part] of wanted.entries()) {
		const text = given[index] ?? "";
		if (!part.startsWith(":")) {
			if (part !== text) return null;
		} else {
			try {
				params[part.slice(1)] = decodeURIComponent(text);
			} catch {
				return null;
			}
		}
	}
	return params;
}
