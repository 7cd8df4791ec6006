import { forgetAllInputs } from "../inputs/last-inputs.ts";
import { forgetAllTalks } from "../pages/workflow/chat/stored-talk.ts";
import { forgetAllPins } from "../pins/pins.ts";
import { mayLeave } from "../router.tsx";
import { endSession, getIssuedToken } from "../session/session.ts";
import { forgetKeptWork } from "../session/unsaved-work.ts";
import { useTexts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { SHELL } from "./texts.ts";

export function LogOut() {
	const text = useTexts(SHELL);
	return (
		<Button kind="quiet" isSmall icon="out" onClick={logOut}>
			{text.logOut}
		</Button>
	);
}

/**
 * Revokes the token (RFC 7009) instead of only deleting it, and deletes recent inputs, pinned outputs, conversations and unsaved work, so that the
 * next user of the browser does not see them.
 */
export function logOut(): void {
	if (!mayLeave()) return;
	const token = getIssuedToken();
	if (token !== null)
		// Sent without waiting: the user is logged out even if the request fails.
		fetch("/revoke", {
			method: "POST",
			body: new URLSearchParams({ token }),
			keepalive: true,
		}).catch(() => {});
	forgetAllInputs();
	forgetAllPins();
	forgetAllTalks();
	forgetKeptWork();
	endSession("logged out");
}
