import { useEffect, useRef, useState } from "react";
import { api } from "../api/api.ts";
import { SESSION_URL } from "../api/first-requests.ts";
import { QUESTIONS_KEY, subscribeToAnswers } from "../api/questions.ts";
import { useQuery } from "../api/use-query.ts";
import { Link, matchPath } from "../router.tsx";
import { useTexts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { LogOut } from "./log-out.tsx";
import { Mark } from "./mark.tsx";
import { PLACES } from "./places.ts";
import { ROUTES } from "./routes.ts";
import { SHELL } from "./texts.ts";

const COUNT_DELAY_MS = 1500;
const COUNT_POLL_MS = 30_000;
const MAX_COUNT = 99;

interface Props {
	readonly path: string;
	onPalette(): void;
}

/** A sidebar; on small screens a bar with a menu. */
export function Navigation({ path, onPalette }: Props) {
	const text = useTexts(SHELL);
	const [isOpen, setOpen] = useState(false);
	const here = ROUTES.find(({ pattern }) => matchPath(pattern, path) !== null)?.place;
	const list = useRef<HTMLDivElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes on navigation.
	useEffect(() => setOpen(false), [path]);
	return (
		<nav className={isOpen ? "side open" : "side"} aria-label={text.navigation}>
			<a className="skip" href="#content">
				{text.skipToContent}
			</a>
			<div className="side-head">
				<Link to="/" className="brand">
					<Mark />
					Tripline
				</Link>
				<Button
					className="menu-button"
					kind="quiet"
					icon={isOpen ? "cross" : "menu"}
					aria-label={text.menu}
					aria-expanded={isOpen}
					onClick={() => setOpen(!isOpen)}
				/>
			</div>
			<div className="side-body" ref={list}>
				<button type="button" className="palette-button" onClick={onPalette}>
					<Icon name="search" />
					<span>{text.search}</span>
					<kbd>{IS_MAC ? "⌘K" : "Ctrl K"}</kbd>
				</button>
				<ul className="places">
					{PLACES.map(({ id, path: to, icon }) => (
						<li key={id}>
							<Link to={to} aria-current={here === id ? "page" : undefined}>
								<Icon name={icon} />
								{text.places[id]}
								{id === "inbox" && <QuestionCount />}
							</Link>
						</li>
					))}
				</ul>
				<div className="side-foot">
					<Namespace />
					<LogOut />
				</div>
			</div>
		</nav>
	);
}

/** The number of open questions. It is asked for after the page, with which it must not compete. */
function QuestionCount() {
	const text = useTexts(SHELL);
	const [isDue, setDue] = useState(false);
	const { data, reload } = useQuery(
		isDue ? QUESTIONS_KEY : null,
		(signal) => api.questions.list(undefined, signal),
		{ everyMs: COUNT_POLL_MS },
	);
	useEffect(() => {
		const askIfVisible = () => document.visibilityState === "visible" && setDue(true);
		const timer = setTimeout(() => {
			askIfVisible();
			document.addEventListener("visibilitychange", askIfVisible);
		}, COUNT_DELAY_MS);
		return () => {
			clearTimeout(timer);
			document.removeEventListener("visibilitychange", askIfVisible);
		};
	}, []);
	useEffect(() => subscribeToAnswers(reload), [reload]);
	const count = data?.questions.length ?? 0;
	if (count === 0) return null;
	const shown = count > MAX_COUNT ? `${MAX_COUNT}+` : String(count);
	return (
		<>
			<span className="badge accent" aria-hidden="true">
				{shown}
			</span>
			<span className="hidden-text">{text.openQuestions(shown)}</span>
		</>
	);
}

function Namespace() {
	const text = useTexts(SHELL);
	const { data } = useQuery(SESSION_URL, api.session);
	if (data === undefined) return null;
	return (
		<p className="soft" title={`Tripline ${data.version}`}>
			{text.namespace(data.namespace)}
		</p>
	);
}

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);
