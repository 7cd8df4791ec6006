import type { JsonObject } from "@tripline/contract/workflows";
import { toExchanges } from "../exchange.ts";

const KEY = "key=test-google-key";
const video_id = "dQw4w9WgXcQ";
const items = (item: JsonObject): JsonObject => ({
	kind: "youtube#listResponse",
	pageInfo: { totalResults: 1, resultsPerPage: 1 },
	items: [item],
});
const snippet = { title: "Tea", channelId: "UC123", publishedAt: "2026-01-31T09:00:00Z" };

export const youtube = toExchanges(
	{
		id: "youtube",
		authRecipe: "google_api_key",
		fields: { key: "test-google-key" },
		base: "https://www.googleapis.com/youtube/v3",
		headers: {},
	},
	{
		search: {
			params: { query: "green tea", channel_id: "UC123", order: "date", limit: 5, page_token: "CAUQAA" },
			sends: `GET /search?part=snippet&q=green%20tea&type=video&channelId=UC123&order=date&maxResults=5&pageToken=CAUQAA&${KEY}`,
			answer: items({ id: { kind: "youtube#video", videoId: video_id }, snippet }),
		},
		get_videos: {
			params: { ids: video_id },
			sends: `GET /videos?part=snippet%2CcontentDetails%2Cstatistics%2Cstatus&id=${video_id}&${KEY}`,
			answer: items({ id: video_id, snippet, statistics: { viewCount: "12" } }),
		},
		get_channel: {
			params: { handle: "@GoogleDevelopers" },
			sends: `GET /channels?part=snippet%2CcontentDetails%2Cstatistics&forHandle=%40GoogleDevelopers&${KEY}`,
			answer: items({ id: "UC123", contentDetails: { relatedPlaylists: { uploads: "UU123" } } }),
		},
		list_playlist_items: {
			params: { playlist_id: "UU123" },
			sends: `GET /playlistItems?part=snippet%2CcontentDetails&playlistId=UU123&maxResults=50&${KEY}`,
			answer: items({ id: "i1", contentDetails: { videoId: video_id } }),
		},
		add_to_playlist: {
			params: { playlist_id: "PL123", video_id },
			sends: `POST /playlistItems?part=snippet&${KEY}`,
			json: { snippet: { playlistId: "PL123", resourceId: { kind: "youtube#video", videoId: video_id } } },
			answer: { id: "i2", snippet },
		},
		list_playlists: {
			params: { channel_id: "UC123", limit: 10 },
			sends: `GET /playlists?part=snippet%2CcontentDetails&channelId=UC123&maxResults=10&${KEY}`,
			answer: items({ id: "PL123", snippet }),
		},
		list_captions: {
			params: { video_id },
			sends: `GET /captions?part=snippet&videoId=${video_id}&${KEY}`,
			answer: items({ id: "AUieDa", snippet: { language: "en", trackKind: "standard" } }),
		},
		download_captions: {
			params: { caption_id: "AUieDa" },
			sends: `GET /captions/AUieDa?tfmt=srt&${KEY}`,
			answerText: "1\n00:00:01,000 --> 00:00:02,000\nHello\n",
		},
		list_comments: {
			params: { video_id, query: "thanks", limit: 20 },
			sends: `GET /commentThreads?part=snippet%2Creplies&videoId=${video_id}&searchTerms=thanks&order=time&textFormat=plainText&maxResults=20&${KEY}`,
			answer: items({ id: "Ugx123", snippet: { topLevelComment: { id: "Ugx123" } } }),
		},
		add_comment: {
			params: { video_id, text: "Thank you!" },
			sends: `POST /commentThreads?part=snippet&${KEY}`,
			json: {
				snippet: { videoId: video_id, topLevelComment: { snippet: { textOriginal: "Thank you!" } } },
			},
			answer: { id: "Ugx124", snippet: { topLevelComment: {} } },
		},
		reply_to_comment: {
			params: { comment_id: "Ugx123", text: "Thank you!" },
			sends: `POST /comments?part=snippet&${KEY}`,
			json: { snippet: { parentId: "Ugx123", textOriginal: "Thank you!" } },
			answer: { id: "Ugx123.1" },
		},
	},
);
