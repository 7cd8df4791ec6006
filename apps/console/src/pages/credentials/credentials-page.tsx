import { useState } from "react";
import { api } from "../../api/api.ts";
import type { Credential } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Removal } from "../../ui/removal.tsx";
import { toast } from "../../ui/toasts.tsx";
import { CredentialDialog, type Wanted } from "./credential-dialog.tsx";
import { CredentialTable } from "./credential-table.tsx";
import { openSignIn, SignInDialog, type SigningIn } from "./sign-in-dialog.tsx";
import { CREDENTIALS } from "./texts.ts";

export default function CredentialsPage() {
	const text = useTexts(CREDENTIALS);
	const [search, change] = useSearch();
	const linked = search.get("new");
	const [chosen, setChosen] = useState<Wanted | null>(null);
	const [signingIn, setSigningIn] = useState<SigningIn | null>(null);
	const [leaving, setLeaving] = useState<Credential | null>(null);
	const credentials = useQuery("credentials", api.credentials.list);
	const recipes = useQuery("auth-recipes", api.authRecipes);
	const wanted = chosen ?? (linked === null ? null : { credential: null, recipe: linked });
	const add = (
		<Button
			kind="primary"
			icon="plus"
			disabled={recipes.data === undefined}
			onClick={() => setChosen({ credential: null, recipe: "" })}
		>
			{text.add}
		</Button>
	);

	return (
		<Page
			title={text.title}
			lead={text.lead}
			actions={(credentials.data?.length ?? 0) === 0 ? undefined : add}
		>
			{recipes.problem !== null && credentials.problem === null && (
				<Problem error={recipes.problem} retry={recipes.reload} />
			)}
			<Loaded query={{ ...credentials, reload: reloadAll }} lines={5}>
				{(list) => (
					<Card isFlush={list.length > 0} className="credentials">
						{list.length === 0 ? (
							<Empty icon="credential" title={text.emptyTitle} action={add}>
								{text.emptyText}
							</Empty>
						) : (
							<CredentialTable
								credentials={list}
								recipes={recipes.data}
								onSignIn={(credential) => setSigningIn(openSignIn(credential))}
								onReplace={(credential) => setChosen({ credential, recipe: credential.auth_recipe })}
								onDelete={setLeaving}
							/>
						)}
					</Card>
				)}
			</Loaded>
			{wanted !== null && recipes.data !== undefined && credentials.data !== undefined && (
				<CredentialDialog
					wanted={wanted}
					recipes={recipes.data}
					taken={credentials.data.map(({ name }) => name)}
					onClose={close}
					onSaved={(name) => {
						credentials.reload();
						close();
						toast(text.saved(name));
					}}
				/>
			)}
			{signingIn !== null && (
				<SignInDialog
					signingIn={signingIn}
					onClose={() => setSigningIn(null)}
					onDone={(list) => {
						credentials.set([...list]);
						setSigningIn(null);
						toast(text.signInDone(signingIn.credential.name));
					}}
				/>
			)}
			{leaving !== null && (
				<Removal
					title={text.deleteTitle(leaving.name)}
					verb={text.delete}
					done={text.deleted(leaving.name)}
					remove={() => api.credentials.delete(leaving.name)}
					onRemoved={() => {
						credentials.set((credentials.data ?? []).filter(({ name }) => name !== leaving.name));
						setLeaving(null);
					}}
					onClose={() => setLeaving(null)}
				>
					{text.deleteText}
				</Removal>
			)}
		</Page>
	);

	/** Reloads both queries, because one message covers both. */
	function reloadAll(): void {
		credentials.reload();
		if (recipes.problem !== null) recipes.reload();
	}

	function close(): void {
		setChosen(null);
		if (linked !== null) change({ new: null });
	}
}
