import { useCallback } from "react";
import { api } from "../../api/api.ts";
import { isNotFound } from "../../api/not-found.ts";
import type { Credential, McpSignIn } from "../../api/types.ts";
import { openSignIn, SignInDialog, type SigningIn } from "../credentials/sign-in-dialog.tsx";

/** Opens the window of a sign-in at a server. Called on a click. */
export const openServerSignIn = (
	server: string,
	how: McpSignIn = {},
	before?: Pick<Credential, "name" | "sign_in">,
): SigningIn => ({
	...openSignIn(before ?? { name: `mcp_${server}` }),
	getLink: () => api.mcpServers.signIn(server, how),
});

const LOOK_AGAIN_MS = 1_000;
const MAX_LOOKS = 30;

interface Props {
	readonly server: string;
	readonly signingIn: SigningIn;
	onClose(): void;
	/** The owner has signed in, and the server's tools are listed or cannot be. */
	onDone(): void;
}

export function ServerSignIn({ server, signingIn, onClose, onDone }: Props) {
	const finish = useCallback(() => {
		waitForServer(server).then(onDone);
	}, [server, onDone]);
	return <SignInDialog signingIn={signingIn} onClose={onClose} onDone={finish} />;
}

/** The service lists the tools of a new server right after the sign-in. */
async function waitForServer(name: string): Promise<void> {
	for (let looks = 0; looks < MAX_LOOKS; looks++) {
		try {
			await api.mcpServers.get(name);
			return;
		} catch (error) {
			if (!isNotFound(error instanceof Error ? error : null)) return;
		}
		await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
	}
}
