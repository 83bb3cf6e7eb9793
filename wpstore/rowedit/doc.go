package rowedit
