import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { earlyAnswers } from "./api/early.ts";
import { App } from "./shell/app.tsx";
import { languageNow } from "./texts/texts.ts";

/** A wait this short is not noticeable. */
const MOMENT_MS = 100;

document.documentElement.lang = languageNow();
const root = document.getElementById("app");
await earlyAnswers(MOMENT_MS);
if (root !== null)
	createRoot(root).render(
		<StrictMode>
			<App />
		</StrictMode>,
	);
