import type { AuthRecipe, Credential } from "../../api/types.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { listHosts } from "./recipe.ts";
import { TestButton } from "./test-button.tsx";
import { CREDENTIALS } from "./texts.ts";

interface Props {
	readonly credentials: readonly Credential[];
	/** Undefined while loading. */
	readonly recipes: readonly AuthRecipe[] | undefined;
	onSignIn(credential: Credential): void;
	onReplace(credential: Credential): void;
	onDelete(credential: Credential): void;
}

const MAX_HOSTS = 3;

export function CredentialTable({ credentials, recipes, onSignIn, onReplace, onDelete }: Props) {
	const text = useTexts(CREDENTIALS);
	return (
		<Table columns={[text.name, text.type, text.hosts, text.lastUsed, text.updated]} actions={text.actions}>
			{credentials.map((credential) => {
				const recipe = recipes?.find(({ id }) => id === credential.auth_recipe);
				return (
					<tr key={credential.name}>
						<th scope="row">{credential.name}</th>
						<td data-label={text.type}>
							{recipe?.title ?? <code>{credential.auth_recipe}</code>}
							{recipes !== undefined && recipe === undefined && (
								<p className="soft">{text.typeNotInstalled}</p>
							)}
							{credential.sign_in !== undefined && <SignIn state={credential.sign_in} />}
						</td>
						<td data-label={text.hosts}>
							<Hosts recipe={recipe} />
						</td>
						<td data-label={text.lastUsed}>
							{credential.last_used_at === null ? (
								<span className="soft">{text.never}</span>
							) : (
								<Time at={credential.last_used_at} />
							)}
						</td>
						<td data-label={text.updated}>
							<Time at={credential.updated_at} />
						</td>
						<td className="row-actions">
							{credential.sign_in !== undefined && (
								<SignInButton
									name={credential.name}
									state={credential.sign_in}
									onClick={() => onSignIn(credential)}
								/>
							)}
							{(recipe?.type === "database" || recipe?.type === "mail") && (
								<TestButton name={credential.name} />
							)}
							<Button
								isSmall
								icon="edit"
								aria-label={text.replaceOne(credential.name)}
								onClick={() => onReplace(credential)}
							>
								{text.replace}
							</Button>
							<Button
								isSmall
								kind="quiet"
								icon="trash"
								aria-label={text.deleteOne(credential.name)}
								onClick={() => onDelete(credential)}
							/>
						</td>
					</tr>
				);
			})}
		</Table>
	);
}

type SignInState = NonNullable<Credential["sign_in"]>;

function SignInButton(props: { readonly name: string; readonly state: SignInState; onClick(): void }) {
	const text = useTexts(CREDENTIALS);
	const { name, state, onClick } = props;
	const verb = state.signed_in_at === null ? text.connect : text.signInAgain;
	const kind = state.state === "required" ? "primary" : "plain";
	return (
		<Button isSmall kind={kind} icon="connect" aria-label={`${verb}: ${name}`} onClick={onClick}>
			{verb}
		</Button>
	);
}

function SignIn({ state }: { readonly state: SignInState }) {
	const text = useTexts(CREDENTIALS);
	return (
		<p>
			{state.state === "done" ? (
				<Badge tone="good">{text.signedIn}</Badge>
			) : (
				<Badge tone="warn">{text.notSignedIn}</Badge>
			)}{" "}
			{state.account}
		</p>
	);
}

function Hosts({ recipe }: { readonly recipe: AuthRecipe | undefined }) {
	const text = useTexts(CREDENTIALS);
	if (recipe === undefined) return <span className="soft">—</span>;
	const hosts = listHosts(recipe, text.hostEntered);
	if (hosts.length === 0) return <span className="soft">{text.noHost}</span>;
	const rest = hosts.length - MAX_HOSTS;
	return (
		<span title={hosts.join("\n")}>
			{hosts.slice(0, MAX_HOSTS).join(", ")}
			{rest > 0 && ` ${text.moreHosts(rest)}`}
		</span>
	);
}
