import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { clearAnswerCache } from "../api/use-query.ts";
import { matchPath, usePath } from "../router.tsx";
import { useSession } from "../session/session.ts";
import { useLanguage, useTexts } from "../texts/texts.ts";
import { ButtonLink } from "../ui/button-link.tsx";
import { COMMON } from "../ui/common-texts.ts";
import { Empty } from "../ui/empty.tsx";
import { Skeleton } from "../ui/loaded.tsx";
import { Page } from "../ui/page.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { Navigation } from "./navigation.tsx";
import { PageGuard } from "./page-guard.tsx";
import { ShortcutsDialog, useShortcuts } from "./palette-shortcuts.tsx";
import { ROUTES } from "./routes.ts";
import { SHELL } from "./texts.ts";

/** Loaded on demand, because most visits do not need it. */
const LoginPage = lazy(() => import("../pages/login/login-page.tsx"));
const loadPalette = () => import("./palette.tsx");
const Palette = lazy(loadPalette);
/** Without it the console works too, for example while an update replaces its files. */
const Banner = lazy(() => import("./banner.tsx").catch(() => ({ default: () => null })));
/** Delay of what must not compete with the page. */
const LATER_MS = 1500;

export function App() {
	const session = useSession();
	const path = usePath();
	const language = useLanguage();
	useEffect(() => {
		document.documentElement.lang = language;
	}, [language]);
	useEffect(() => {
		if (session === null) clearAnswerCache();
	}, [session]);
	if (session === null || path === "/callback")
		return (
			<Suspense>
				<LoginPage />
			</Suspense>
		);
	return <Console key={session.token} />;
}

function Console() {
	const path = usePath();
	const [overlay, setOverlay] = useState<"palette" | "shortcuts" | null>(null);
	useEffect(() => {
		const close = () => setOverlay(null);
		addEventListener("popstate", close);
		return () => removeEventListener("popstate", close);
	}, []);
	const [isSettled, setSettled] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => {
			setSettled(true);
			// Users start typing right after pressing the palette's shortcut.
			loadPalette().catch(() => {});
		}, LATER_MS);
		return () => clearTimeout(timer);
	}, []);
	/** The palette may have opened the shortcuts dialog, which must stay open. */
	const closePalette = () => setOverlay((now) => (now === "palette" ? null : now));
	useShortcuts({ onPalette: () => setOverlay("palette"), onHelp: () => setOverlay("shortcuts") });
	return (
		<div className="shell">
			<Navigation path={path} onPalette={() => setOverlay("palette")} />
			<main id="content" tabIndex={-1} ref={usePageFocus(path)}>
				{isSettled && (
					<Suspense>
						<Banner />
					</Suspense>
				)}
				<PageGuard key={ROUTES.find(({ pattern }) => matchPath(pattern, path) !== null)?.stays ?? path}>
					<Suspense fallback={<Skeleton lines={6} />}>
						<CurrentPage path={path} />
					</Suspense>
				</PageGuard>
			</main>
			{overlay === "palette" && (
				<Suspense>
					<Palette onClose={closePalette} onShortcuts={() => setOverlay("shortcuts")} />
				</Suspense>
			)}
			{overlay === "shortcuts" && <ShortcutsDialog onClose={() => setOverlay(null)} />}
			<Toasts />
		</div>
	);
}

/** Moves the focus to the new page if the focused element was removed with the old one. */
function usePageFocus(path: string): RefObject<HTMLElement | null> {
	const main = useRef<HTMLElement>(null);
	const shown = useRef(path);
	useEffect(() => {
		if (shown.current === path) return;
		shown.current = path;
		// Runs after a closing dialog has restored the focus.
		const timer = setTimeout(() => {
			if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
		});
		return () => clearTimeout(timer);
	}, [path]);
	return main;
}

function CurrentPage({ path }: { readonly path: string }) {
	const [text, shell] = [useTexts(COMMON), useTexts(SHELL)];
	for (const { pattern, page: Shown } of ROUTES) {
		const params = matchPath(pattern, path);
		if (params !== null) return <Shown params={params} />;
	}
	return (
		<Page title={text.notFound}>
			<Empty icon="search" title={path} action={<ButtonLink to="/">{shell.places.overview}</ButtonLink>} />
		</Page>
	);
}
