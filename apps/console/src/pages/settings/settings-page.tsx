import { api } from "../../api/api.ts";
import { SESSION_URL } from "../../api/first-requests.ts";
import type { SessionInfo } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { ShortcutList, setSingleKeys, useSingleKeys } from "../../shell/palette-shortcuts.tsx";
import { LANGUAGES, type Language, setLanguage, useLanguage, useTexts } from "../../texts/texts.ts";
import { setTheme, THEMES, useTheme } from "../../theme/theme.ts";
import { Card } from "../../ui/card.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { BrowserData } from "./browser-data.tsx";
import { KeptRuns } from "./kept-runs.tsx";
import { SETTINGS } from "./texts.ts";

const LANGUAGE_CHOICES = (Object.keys(LANGUAGES) as Language[]).map((id) => ({
	id,
	label: LANGUAGES[id],
	lang: id,
}));

export default function SettingsPage() {
	const text = useTexts(SETTINGS);
	const language = useLanguage();
	const theme = useTheme();
	const hasSingleKeys = useSingleKeys();
	const session = useQuery(SESSION_URL, api.session);
	return (
		<Page title={text.title} lead={text.lead}>
			<div className="settings">
				<div className="stack">
					<Card title={text.appearance}>
						<div className="stack">
							<Choice
								label={text.language}
								choices={LANGUAGE_CHOICES}
								chosen={language}
								onChoose={setLanguage}
							/>
							<Choice
								label={text.theme}
								choices={THEMES.map((id) => ({ id, label: text.themes[id] }))}
								chosen={theme}
								onChoose={setTheme}
							/>
						</div>
					</Card>
					<BrowserData />
				</div>
				<div className="stack">
					<KeptRuns />
					<Card title={text.about}>
						<Loaded query={session}>{(info) => <About info={info} />}</Loaded>
					</Card>
				</div>
				<Card title={text.keyboard} className="settings-keys">
					<div className="stack">
						<label className="settings-toggle">
							<input
								type="checkbox"
								checked={hasSingleKeys}
								onChange={(event) => setSingleKeys(event.target.checked)}
							/>
							<span>
								{text.singleKeys}
								<span className="soft">{text.singleKeysHint}</span>
							</span>
						</label>
						<ShortcutList />
					</div>
				</Card>
			</div>
		</Page>
	);
}

function About({ info }: { readonly info: SessionInfo }) {
	const text = useTexts(SETTINGS);
	return (
		<dl className="facts">
			<dt>{text.version}</dt>
			<dd className="numbers">Tripline {info.version}</dd>
			<dt>{text.namespace}</dt>
			<dd>{info.namespace}</dd>
			<dt>{text.mode}</dt>
			<dd>{text.modes[info.mode]}</dd>
			<dt>{text.loggedIn}</dt>
			<dd>{text.loginMethods[info.by]}</dd>
			<dt>{text.mcpUrl}</dt>
			<dd>
				<code>{info.mcp_url}</code>
			</dd>
			<dt>{text.api}</dt>
			<dd>
				<a href="/docs">{text.apiLink}</a>
			</dd>
		</dl>
	);
}
