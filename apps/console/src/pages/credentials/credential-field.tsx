import { api } from "../../api/api.ts";
import { useQuery } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { Field } from "../../ui/field.tsx";
import { Connect } from "./connect.tsx";
import { CREDENTIALS } from "./texts.ts";

interface Props {
	/** Ids of auth recipes, of which any is accepted; null: all are. */
	readonly auth: readonly string[] | null;
	/** What it is for; for screen readers. */
	readonly label: string;
	/** "" if none is chosen. */
	readonly chosen: string;
	onChoose(name: string): void;
}

/** Chooses a credential, or connects the service, after which the new credential is chosen. */
export function CredentialField({ auth, label, chosen, onChoose }: Props) {
	const text = useTexts(CREDENTIALS);
	const credentials = useQuery("credentials", api.credentials.list);
	if (credentials.data === undefined) return null;
	const fitting = credentials.data.filter(({ auth_recipe }) => auth?.includes(auth_recipe) ?? true);
	const current = fitting.find(({ name }) => name === chosen);
	return (
		<div className="credential-field">
			<Field label={text.credential}>
				{(control) => (
					<select {...control} value={chosen} onChange={(event) => onChoose(event.target.value)}>
						{chosen === "" && <option value="">{text.noCredential}</option>}
						{chosen !== "" && current === undefined && (
							<option value={chosen}>{text.missingCredential(chosen)}</option>
						)}
						{fitting.map(({ name }) => (
							<option key={name}>{name}</option>
						))}
					</select>
				)}
			</Field>
			<Connect
				auth={auth}
				label={label}
				credential={current?.sign_in?.state === "required" ? current : undefined}
				onConnected={(name) => {
					credentials.reload();
					onChoose(name);
				}}
			/>
		</div>
	);
}
