import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { navigate } from "../../router.tsx";
import { buildMcpServerPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toasts.tsx";
import { collectFieldProblems } from "../credentials/form-check.ts";
import type { SigningIn } from "../credentials/sign-in-dialog.tsx";
import { proposeName } from "./propose-name.ts";
import { openServerSignIn, ServerSignIn } from "./server-sign-in.tsx";
import { MCP_SERVERS } from "./texts.ts";

const WAYS = ["none", "token", "signIn", "credential"] as const;
type Way = (typeof WAYS)[number];

interface Props {
	/** Names of servers that exist. */
	readonly taken: readonly string[];
	onClose(): void;
}

/** Adds a server by its address, with the access that it asks for. */
export function AddServer({ taken, onClose }: Props) {
	const [text, common] = [useTexts(MCP_SERVERS), useTexts(COMMON)];
	const [url, setUrl] = useState("");
	const [ownName, setOwnName] = useState<string | null>(null);
	const [way, setWay] = useState<Way>("none");
	const [token, setToken] = useState("");
	const [credential, setCredential] = useState("");
	const [client, setClient] = useState({ id: "", secret: "" });
	const [signingIn, setSigningIn] = useState<SigningIn | null>(null);
	const credentials = useQuery(way === "credential" ? "credentials" : null, api.credentials.list);
	const name = ownName ?? proposeName(url, taken);
	const adding = useAction(async () => {
		await api.mcpServers.put(name, { url, ...(await prepareCredential()) });
		finish();
	});
	const problems = collectFieldProblems(adding.problem, ["url", "name", "credential"]);
	if (signingIn !== null)
		return (
			<ServerSignIn server={name} signingIn={signingIn} onClose={() => setSigningIn(null)} onDone={finish} />
		);
	return (
		<Dialog
			title={text.addTitle}
			onClose={onClose}
			actions={
				<>
					<Button onClick={onClose}>{common.cancel}</Button>
					<Button kind="primary" type="submit" form="add-mcp-server" isBusy={adding.isBusy}>
						{text.add}
					</Button>
				</>
			}
		>
			<form id="add-mcp-server" className="stack" onSubmit={submit}>
				<Field label={text.address} hint={text.addressHint} problem={problems.fields.url}>
					{(control) => (
						<input
							{...control}
							type="url"
							required
							value={url}
							onChange={(event) => setUrl(event.target.value.trim())}
						/>
					)}
				</Field>
				<Field label={text.name} hint={text.nameHint} problem={problems.fields.name}>
					{(control) => (
						<input
							{...control}
							required
							pattern="[a-z0-9][a-z0-9_\-]{0,63}"
							autoComplete="off"
							value={name}
							onChange={(event) => setOwnName(event.target.value)}
						/>
					)}
				</Field>
				<Field label={text.access} problem={problems.fields.credential}>
					{(control) => (
						<select {...control} value={way} onChange={(event) => setWay(event.target.value as Way)}>
							{WAYS.map((each) => (
								<option key={each} value={each}>
									{text.ways[each]}
								</option>
							))}
						</select>
					)}
				</Field>
				{way === "token" && (
					<Field label={text.token} hint={text.tokenHint}>
						{(control) => (
							<input
								{...control}
								type="password"
								required
								autoComplete="off"
								value={token}
								onChange={(event) => setToken(event.target.value)}
							/>
						)}
					</Field>
				)}
				{way === "credential" && (
					<Field label={text.credential}>
						{(control) => (
							<select
								{...control}
								required
								value={credential}
								onChange={(event) => setCredential(event.target.value)}
							>
								<option value="" />
								{credentials.data?.map((each) => (
									<option key={each.name}>{each.name}</option>
								))}
							</select>
						)}
					</Field>
				)}
				{way === "signIn" && (
					<>
						<Field label={text.clientId} hint={text.clientIdHint} isOptional>
							{(control) => (
								<input
									{...control}
									autoComplete="off"
									value={client.id}
									onChange={(event) => setClient({ ...client, id: event.target.value.trim() })}
								/>
							)}
						</Field>
						{client.id !== "" && (
							<Field label={text.clientSecret} isOptional>
								{(control) => (
									<input
										{...control}
										type="password"
										autoComplete="off"
										value={client.secret}
										onChange={(event) => setClient({ ...client, secret: event.target.value.trim() })}
									/>
								)}
							</Field>
						)}
					</>
				)}
				{problems.form !== null && <Problem error={problems.form} />}
			</form>
		</Dialog>
	);

	function submit(event: FormEvent): void {
		event.preventDefault();
		if (way !== "signIn") {
			adding.run();
			return;
		}
		setSigningIn(
			openServerSignIn(name, {
				url,
				...(client.id !== "" && { client_id: client.id }),
				...(client.secret !== "" && { client_secret: client.secret }),
			}),
		);
	}

	async function prepareCredential(): Promise<{ readonly credential?: string }> {
		if (way === "credential") return { credential };
		if (way !== "token") return {};
		const stored = `mcp_${name}_token`;
		const { host } = new URL(url);
		await api.credentials.put(stored, { auth_recipe: "bearer_token", fields: { host, token } });
		return { credential: stored };
	}

	function finish(): void {
		toast(text.added(name));
		navigate(buildMcpServerPath(name));
	}
}
