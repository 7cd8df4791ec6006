import { api } from "../../api/api.ts";
import { useQuery } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Connect } from "../credentials/connect.tsx";
import { CREDENTIALS } from "../credentials/texts.ts";
import { RECIPES } from "./texts.ts";

interface Props {
	/** Of the service. */
	readonly title: string;
	/** Ids of the auth recipes, the recommended one first. */
	readonly auth: readonly string[];
}

/** How requests are authorized, and the credentials that exist for it. */
export function RecipeCredentials({ title, auth }: Props) {
	const [text, common] = [useTexts(RECIPES), useTexts(CREDENTIALS)];
	const recipes = useQuery(auth.length === 0 ? null : "auth-recipes", api.authRecipes);
	const credentials = useQuery(auth.length === 0 ? null : "credentials", api.credentials.list);
	if (auth.length === 0)
		return (
			<Card title={text.credentials}>
				<p className="soft">{text.noAuth}</p>
			</Card>
		);
	return (
		<Card title={text.credentials}>
			<div className="stack">
				<div>
					<p className="soft">{auth.length > 1 ? text.anyOf : text.type}</p>
					<ul>
						{auth.map((id) => {
							const recipe = recipes.data?.find((each) => each.id === id);
							return <li key={id}>{recipe?.title ?? <code>{id}</code>}</li>;
						})}
					</ul>
				</div>
				<Loaded query={credentials} lines={2}>
					{(all) => {
						const fitting = all.filter(({ auth_recipe }) => auth.includes(auth_recipe));
						return (
							<>
								{fitting.length === 0 ? (
									<p className="soft">{text.noCredential}</p>
								) : (
									<ul className="recipe-credentials">
										{fitting.map((credential) => (
											<li key={credential.name} className="line">
												<span>{credential.name}</span>
												{credential.sign_in?.state === "done" && <Badge tone="good">{common.signedIn}</Badge>}
												{credential.sign_in?.state === "required" && (
													<Connect
														auth={auth}
														label={credential.name}
														credential={credential}
														kind="primary"
														onConnected={credentials.reload}
													/>
												)}
											</li>
										))}
									</ul>
								)}
								<div>
									<Connect
										auth={auth}
										label={title}
										kind={fitting.length === 0 ? "primary" : "plain"}
										onConnected={credentials.reload}
									/>
								</div>
							</>
						);
					}}
				</Loaded>
			</div>
		</Card>
	);
}
