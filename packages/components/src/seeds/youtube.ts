import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, integer, list, text } from "../schema-words.ts";
import { readTokens } from "./paging.ts";
import { answer, object, params } from "./schema.ts";

const page_token = text("nextPageToken of the previous page");
const limit = (maximum: number) =>
	integer("Maximum number of results", { minimum: 1, maximum, default: maximum });
const pages = { maxResults: "{{params.limit}}", pageToken: "{{params.page_token}}" };
const video_id = text("The video's id: the part of its URL after v=");
const snippet = object("What it says about itself", {
	title: text("Its title"),
	description: text("Its description"),
	publishedAt: text("When it was published"),
	channelId: text("Its channel's id"),
	channelTitle: text("Its channel's name"),
});
const listSchema = (items: Parameters<typeof list>[0]) =>
	answer({ items: list(items, "The results"), nextPageToken: text("page_token for the next page") });
const comment = object("A comment", {
	id: text("Its id"),
	snippet: object("The comment", { topLevelComment: object("Its text, author and likes") }),
});

export const youtube: ApiRecipe = {
	id: "youtube",
	category: "web",
	title: "YouTube",
	description:
		"Videos, channels, playlists and comments. An API key reads what is public. Captions and writing need an account with the scope https://www.googleapis.com/auth/youtube.force-ssl.",
	auth: ["google_oauth", "google_api_key"],
	base_url: "https://www.googleapis.com/youtube/v3",
	docs_url: "https://developers.google.com/youtube/v3/docs",
	operations: {
		search: {
			title: "Search videos, channels and playlists",
			description: "Costs 100 units of the project's daily quota; most other operations cost 1.",
			method: "GET",
			path: "/search",
			params: params(
				{},
				{
					query: text("Search words; - excludes one, | is or"),
					type: choice(["video", "channel", "playlist"], "What to search", { default: "video" }),
					channel_id: text("Only in this channel"),
					order: choice(["date", "rating", "relevance", "title", "videoCount", "viewCount"], "Order", {
						default: "relevance",
					}),
					published_after: text("Only what was published after this time, such as 2026-01-31T00:00:00Z"),
					published_before: text("Only what was published before this time"),
					language: text("Preferred language, such as en"),
					region: text("Only what can be seen in this country, such as FR"),
					limit: limit(50),
					page_token,
				},
			),
			query: {
				part: "snippet",
				q: "{{params.query}}",
				type: "{{params.type}}",
				channelId: "{{params.channel_id}}",
				order: "{{params.order}}",
				publishedAfter: "{{params.published_after}}",
				publishedBefore: "{{params.published_before}}",
				relevanceLanguage: "{{params.language}}",
				regionCode: "{{params.region}}",
				...pages,
			},
			paginate: readTokens("items"),
			output: {
				schema: listSchema(
					object("A result", {
						id: object("Its id", {
							videoId: text("If it is a video"),
							channelId: text("If it is a channel"),
							playlistId: text("If it is a playlist"),
						}),
						snippet,
					}),
				),
			},
			examples: [
				{ title: "New videos of a channel", params: { channel_id: "UC123", order: "date", limit: 5 } },
			],
		},
		get_videos: {
			title: "Get details of videos",
			method: "GET",
			path: "/videos",
			params: params(
				{ ids: text("Up to 50 ids of videos, separated by commas") },
				{ parts: text("What to return", { default: "snippet,contentDetails,statistics,status" }) },
			),
			query: { part: "{{params.parts}}", id: "{{params.ids}}" },
			output: {
				schema: listSchema(
					object("A video", {
						id: text("Its id"),
						snippet,
						contentDetails: object("Details", { duration: text("Such as PT4M13S") }),
						statistics: object("Numbers, as text", {
							viewCount: text("Views"),
							likeCount: text("Likes"),
							commentCount: text("Comments"),
						}),
					}),
				),
			},
			examples: [{ title: "One video", params: { ids: "dQw4w9WgXcQ" } }],
		},
		get_channel: {
			title: "Get a channel",
			method: "GET",
			path: "/channels",
			params: params(
				{},
				{
					id: text("The channel's id"),
					handle: text("Instead of its id: its handle, such as @GoogleDevelopers"),
				},
			),
			query: {
				part: "snippet,contentDetails,statistics",
				id: "{{params.id}}",
				forHandle: "{{params.handle}}",
			},
			output: {
				schema: listSchema(
					object("A channel", {
						id: text("Its id"),
						snippet,
						contentDetails: object("Details", {
							relatedPlaylists: object("Playlists", { uploads: text("The playlist of all its videos") }),
						}),
						statistics: object("Numbers, as text", { subscriberCount: text("Subscribers") }),
					}),
				),
			},
			examples: [{ title: "By handle", params: { handle: "@GoogleDevelopers" } }],
		},
		list_playlist_items: {
			title: "List the videos of a playlist",
			method: "GET",
			path: "/playlistItems",
			params: params(
				{ playlist_id: text("The playlist's id; relatedPlaylists.uploads of a channel are all its videos") },
				{ limit: limit(50), page_token },
			),
			query: { part: "snippet,contentDetails", playlistId: "{{params.playlist_id}}", ...pages },
			paginate: readTokens("items"),
			output: {
				schema: listSchema(
					object("An item", {
						id: text("The item's id"),
						snippet,
						contentDetails: object("Details", { videoId: text("The video's id") }),
					}),
				),
			},
			examples: [{ title: "All uploads of a channel", params: { playlist_id: "UU123" } }],
		},
		add_to_playlist: {
			title: "Add a video to a playlist",
			method: "POST",
			path: "/playlistItems",
			params: params({ playlist_id: text("The playlist's id"), video_id }),
			query: { part: "snippet" },
			body: {
				kind: "json",
				value: {
					snippet: {
						playlistId: "{{params.playlist_id}}",
						resourceId: { kind: "youtube#video", videoId: "{{params.video_id}}" },
					},
				},
			},
			output: { schema: answer({ id: text("The item's id"), snippet }) },
			examples: [{ title: "One", params: { playlist_id: "PL123", video_id: "dQw4w9WgXcQ" } }],
		},
		list_playlists: {
			title: "List the playlists of a channel",
			method: "GET",
			path: "/playlists",
			params: params({ channel_id: text("The channel's id") }, { limit: limit(50), page_token }),
			query: { part: "snippet,contentDetails", channelId: "{{params.channel_id}}", ...pages },
			paginate: readTokens("items"),
			output: { schema: listSchema(object("A playlist", { id: text("Its id"), snippet })) },
			examples: [{ title: "One channel", params: { channel_id: "UC123" } }],
		},
		list_captions: {
			title: "List the captions of a video",
			description: "Needs an account that may edit the video to download them.",
			method: "GET",
			path: "/captions",
			params: params({ video_id }),
			query: { part: "snippet", videoId: "{{params.video_id}}" },
			output: {
				schema: listSchema(
					object("Captions", {
						id: text("Their id"),
						snippet: object("What they are", {
							language: text("Their language"),
							trackKind: text("standard, or ASR if they were recognized"),
						}),
					}),
				),
			},
			examples: [{ title: "One video", params: { video_id: "dQw4w9WgXcQ" } }],
		},
		download_captions: {
			title: "Download captions as text",
			description: "Only of videos that the account may edit.",
			method: "GET",
			path: "/captions/{caption_id}",
			params: params(
				{ caption_id: text("The captions' id") },
				{ format: choice(["srt", "vtt", "sbv"], "Format", { default: "srt" }) },
			),
			query: { tfmt: "{{params.format}}" },
			response: "text",
			output: { schema: text("The captions") },
			examples: [{ title: "As SRT", params: { caption_id: "AUieDa" } }],
		},
		list_comments: {
			title: "List comments on a video",
			method: "GET",
			path: "/commentThreads",
			params: params(
				{ video_id },
				{
					query: text("Only comments with these words"),
					order: choice(["time", "relevance"], "Order", { default: "time" }),
					limit: limit(100),
					page_token,
				},
			),
			query: {
				part: "snippet,replies",
				videoId: "{{params.video_id}}",
				searchTerms: "{{params.query}}",
				order: "{{params.order}}",
				textFormat: "plainText",
				...pages,
			},
			paginate: readTokens("items"),
			output: { schema: listSchema(comment) },
			examples: [{ title: "The newest", params: { video_id: "dQw4w9WgXcQ", limit: 20 } }],
		},
		add_comment: {
			title: "Comment on a video",
			method: "POST",
			path: "/commentThreads",
			params: params({ video_id, text: text("The comment", { minLength: 1 }) }),
			query: { part: "snippet" },
			body: {
				kind: "json",
				value: {
					snippet: {
						videoId: "{{params.video_id}}",
						topLevelComment: { snippet: { textOriginal: "{{params.text}}" } },
					},
				},
			},
			output: { schema: comment },
			examples: [{ title: "Thanks", params: { video_id: "dQw4w9WgXcQ", text: "Thank you!" } }],
		},
		reply_to_comment: {
			title: "Reply to a comment",
			method: "POST",
			path: "/comments",
			params: params({ comment_id: text("The comment's id"), text: text("The reply", { minLength: 1 }) }),
			query: { part: "snippet" },
			body: {
				kind: "json",
				value: { snippet: { parentId: "{{params.comment_id}}", textOriginal: "{{params.text}}" } },
			},
			output: { schema: answer({ id: text("The reply's id") }) },
			examples: [{ title: "Thanks", params: { comment_id: "Ugx123", text: "Thank you!" } }],
		},
	},
};
