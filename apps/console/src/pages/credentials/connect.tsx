import { useState } from "react";
import { api } from "../../api/api.ts";
import type { Credential } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toasts.tsx";
import { CredentialDialog } from "./credential-dialog.tsx";
import { openSignIn, SignInDialog, type SigningIn } from "./sign-in-dialog.tsx";
import { CREDENTIALS } from "./texts.ts";

const SIGN_IN_TYPE = "oauth2_authorization_code";

interface Props {
	/** Ids of auth recipes, of which any is accepted; null: all are. */
	readonly auth: readonly string[] | null;
	/** What it is for; for screen readers. */
	readonly label: string;
	/** A credential that exists and needs a sign-in. Otherwise a new one is added. */
	readonly credential?: Credential | undefined;
	readonly kind?: "primary" | "plain";
	/** Called with the name of a credential that can be used. */
	onConnected(name: string): void;
}

/** Adds a credential for a service, and signs in where the service asks for that. */
export function Connect({ auth, label, credential, kind = "plain", onConnected }: Props) {
	const text = useTexts(CREDENTIALS);
	const [isAdding, setAdding] = useState(false);
	const [signingIn, setSigningIn] = useState<SigningIn | null>(null);
	return (
		<>
			<Button isSmall kind={kind} icon="connect" aria-label={`${text.connect}: ${label}`} onClick={start}>
				{text.connect}
			</Button>
			{isAdding && <NewCredential auth={auth} onClose={() => setAdding(false)} onSaved={handleSaved} />}
			{signingIn !== null && (
				<SignInDialog
					signingIn={signingIn}
					onClose={() => setSigningIn(null)}
					onDone={() => {
						setSigningIn(null);
						toast(text.signInDone(signingIn.credential.name));
						onConnected(signingIn.credential.name);
					}}
				/>
			)}
		</>
	);

	function start(): void {
		if (credential === undefined) setAdding(true);
		else setSigningIn(openSignIn(credential));
	}

	function handleSaved(name: string, type: string): void {
		setAdding(false);
		if (type === SIGN_IN_TYPE) {
			setSigningIn(openSignIn({ name }));
			return;
		}
		toast(text.saved(name));
		onConnected(name);
	}
}

interface NewProps extends Pick<Props, "auth"> {
	onClose(): void;
	onSaved(name: string, type: string): void;
}

function NewCredential({ auth, onClose, onSaved }: NewProps) {
	const credentials = useQuery("credentials", api.credentials.list);
	const all = useQuery("auth-recipes", api.authRecipes);
	if (all.data === undefined || credentials.data === undefined) return null;
	const recipes = all.data.filter(({ id, hosts }) => auth?.includes(id) ?? hosts.length > 0);
	const first = recipes.length === 1 ? recipes[0]?.id : "";
	return (
		<CredentialDialog
			wanted={{ credential: null, recipe: first ?? "" }}
			recipes={recipes}
			taken={credentials.data.map(({ name }) => name)}
			onClose={onClose}
			onSaved={(name, recipe) => onSaved(name, recipe.type)}
		/>
	);
}
