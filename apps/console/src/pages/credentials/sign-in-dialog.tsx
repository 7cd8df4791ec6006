import { useEffect, useState } from "react";
import { api } from "../../api/api.ts";
import type { Credential, SignInLink } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { CREDENTIALS } from "./texts.ts";

export interface SigningIn {
	readonly credential: Pick<Credential, "name" | "sign_in">;
	/** Opened by the click, because browsers block windows that are opened later. Null if it was blocked anyway. */
	readonly window: Window | null;
	/** The link to sign in with; default that of the credential. */
	getLink?(): Promise<SignInLink>;
}

/** Opens the window of a sign-in. Called on a click. */
export function openSignIn(credential: SigningIn["credential"]): SigningIn {
	const opened = window.open("about:blank", "_blank", "popup,width=640,height=800");
	// The pages of the service must not reach this one.
	if (opened !== null) opened.opener = null;
	return { credential, window: opened };
}

interface Props {
	readonly signingIn: SigningIn;
	onClose(): void;
	onDone(credentials: readonly Credential[]): void;
}

const LOOK_AGAIN_MS = 2_000;

/** Waits until the owner has signed in in the other window. */
export function SignInDialog({ signingIn, onClose, onDone }: Props) {
	const text = useTexts(CREDENTIALS);
	const { credential, window } = signingIn;
	const [url, setUrl] = useState<string | null>(null);
	const [problem, setProblem] = useState<Error | null>(null);
	const stored = useQuery("sign-in credentials", api.credentials.list, { everyMs: LOOK_AGAIN_MS });

	// biome-ignore lint/correctness/useExhaustiveDependencies: one link for each dialog.
	useEffect(() => {
		const { getLink = () => api.credentials.signIn(credential.name) } = signingIn;
		getLink().then(
			(link) => {
				setUrl(link.url);
				if (window !== null) window.location.replace(link.url);
			},
			(error: unknown) => {
				window?.close();
				setProblem(error instanceof Error ? error : new Error(String(error)));
			},
		);
	}, []);

	const now = stored.data?.find(({ name }) => name === credential.name)?.sign_in;
	const isDone = now?.state === "done" && now.signed_in_at !== credential.sign_in?.signed_in_at;
	useEffect(() => {
		if (isDone && stored.data !== undefined) onDone(stored.data);
	}, [isDone, stored.data, onDone]);

	return (
		<Dialog title={text.signInTitle(credential.name)} onClose={onClose}>
			{problem !== null ? (
				<Problem error={problem} />
			) : window !== null ? (
				<p role="status">{text.signInText}</p>
			) : (
				<p role="status">{text.signInBlocked}</p>
			)}
			{url !== null && problem === null && (
				<p>
					<a href={url} target="_blank" rel="noreferrer">
						{text.signInOpen}
					</a>
				</p>
			)}
		</Dialog>
	);
}
