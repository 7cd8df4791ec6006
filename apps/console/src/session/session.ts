import { useSyncExternalStore } from "react";
import { issued, typed } from "./tokens.ts";

/** What requests are made with: an access token of the login, or a token that was typed in. */
export interface Session {
	readonly token: string;
	/** The browser keeps a token of the login; one that was typed in goes with the tab. */
	readonly isTyped: boolean;
}

let now: Session | null = read();
/** Why the login page is shown again; null: in another tab somebody logged out. */
let ending: "expired" | "logged out" | null = null;

function read(): Session | null {
	const given = typed.get();
	if (given !== null) return { token: given, isTyped: true };
	const token = issued.get();
	return token === null ? null : { token, isTyped: false };
}

function refresh(): void {
	const next = read();
	if (next?.token !== now?.token) now = next;
}

export const sessionNow = (): Session | null => now;
/** Of the login, which all tabs share; a tab may have one of its own that was typed in. */
export const issuedNow = (): string | null => issued.get();
export const endingNow = () => ending;

export function begin(token: string, { isTyped }: { readonly isTyped: boolean }): void {
	ending = null;
	(isTyped ? typed : issued).set(token);
	refresh();
}

/** Forgets the token here; `expired` says so on the login page. */
export function end(why: "expired" | "logged out"): void {
	ending = why;
	typed.set(null);
	issued.set(null);
	refresh();
}

export function useSession(): Session | null {
	return useSyncExternalStore((listener) => {
		const told = () => {
			refresh();
			listener();
		};
		const off = [typed.subscribe(told), issued.subscribe(told)];
		return () => {
			for (const each of off) each();
		};
	}, sessionNow);
}
