import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./shell/app.tsx";
import { languageNow } from "./texts/texts.ts";

document.documentElement.lang = languageNow();
const root = document.getElementById("app");
if (root !== null)
	createRoot(root).render(
		<StrictMode>
			<App />
		</StrictMode>,
	);
