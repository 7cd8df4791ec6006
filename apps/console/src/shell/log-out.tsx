import { forgetAllInputs } from "../inputs/last-inputs.ts";
import { mayLeave } from "../router.tsx";
import { forgetKeptWork } from "../session/kept-work.ts";
import { end, issuedNow } from "../session/session.ts";
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
 * The token is of no use to anybody afterwards: it is revoked (RFC 7009), not only forgotten. What was typed into
 * workflows is not there for who logs in next.
 */
export function logOut(): void {
	if (!mayLeave()) return;
	const token = issuedNow();
	if (token !== null)
		// Out it is, whether this arrives or not.
		fetch("/revoke", {
			method: "POST",
			body: new URLSearchParams({ token }),
			keepalive: true,
		}).catch(() => {});
	forgetAllInputs();
	forgetKeptWork();
	end("logged out");
}
