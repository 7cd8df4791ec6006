import { useSyncExternalStore } from "react";
import { issued, typed } from "./tokens.ts";

/** The token for requests: an access token from the login, or one that the user entered. */
export interface Session {
	readonly token: string;
	/** A token the user entered lasts until the tab is closed; one from the login stays in the browser. */
	readonly isTyped: boolean;
}

let now: Session | null = read();
/** Why the login page is shown again; null if the user logged out in another tab. */
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
/** The token from the login, which all tabs share. A tab may use an entered token instead. */
export const issuedNow = (): string | null => issued.get();
export const endingNow = () => ending;

export function begin(token: string, { isTyped }: { readonly isTyped: boolean }): void {
	ending = null;
	(isTyped ? typed : issued).set(token);
	refresh();
}

/** Ends the session in this browser; `expired` shows a message on the login page. */
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
